// Problem documents (RFC 9457): what to say of one, and what to do about it.
import { element } from "./dom.js";

// An error's problem document, or one for what came to no answer at all.
export function problemOf(error) {
  const problem = error.document || { title: "the server does not answer", detail: error.message };

  return { ...problem, detail: problem.detail || problem.title };
}

// The sentence, and buttons for what the server suggests: onFix(parameter, value), onRename(from, to).
export function problemContent({ type, detail, parameter, suggestion, allowed = [] }, { onFix, onRename }) {
  const isName = /unknown-parameter$/.test(type);
  const words = suggestion ? [suggestion] : allowed;
  const buttons = parameter === undefined ? [] : words.map((word) => element("button", { type: "button",
    onclick: () => (isName ? onRename : onFix)(parameter, String(word)) }, suggestion ? `Use ${word}` : String(word)));

  return [element("span", {}, detail), buttons.length > 0 ? element("span", { class: "fixes" }, ...buttons) : ""];
}

// The box above the result; `action` is a button's label and what it does.
export function problemBox({ title, instance }, content, action) {
  const heading = title || "that did not work";

  return element("div", { class: "problem" },
    element("h2", {}, heading.charAt(0).toUpperCase() + heading.slice(1)),
    element("p", {}, ...content),
    action ? element("button", { type: "button", class: "link", onclick: action[1] }, action[0]) : null,
    instance ? element("p", { class: "help" }, `Request ${instance}`) : null);
}
