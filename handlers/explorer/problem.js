// Problem documents (RFC 9457): what to say of one, and what to do about it.
import { element, help } from "./dom.js";

// An error's problem document, or one for an answer that broke off or is not understood.
export function problemOf(error) {
  const problem = error.document || { title: "the answer could not be read", detail: error.message };

  return { ...problem, detail: problem.detail || problem.title };
}

// Whether the same may do another time.
export const isPassing = ({ status = 503 }) => status >= 500 || status === 429 || status === 408;

// The sentence, and buttons for what is suggested: onFix(parameter, value), onRename(from, to).
export function problemContent({ type, detail, parameter, suggestion, allowed = [] }, { onFix, onRename }) {
  const onChoose = /unknown-parameter$/.test(type) ? onRename : onFix;
  const words = parameter === undefined ? [] : suggestion ? [suggestion] : allowed;

  return [detail, words.length > 0 && element("span", { class: "fixes" }, !suggestion && "allowed:", ...words.map((word) =>
    element("button", { onclick: () => onChoose(parameter, String(word)) }, suggestion ? `Use ${word}` : String(word))))];
}

// `action` is a button's label and what it does.
export function problemBox({ title, limit, instance }, content, action) {
  return element("div", { class: "problem" },
    element("h2", {}, title.charAt(0).toUpperCase() + title.slice(1)), element("p", {}, ...content),
    action && element("button", { class: "link", onclick: action[1] }, action[0]),
    help([limit !== undefined && `Limit ${limit}`, instance && `Request ${instance}`].filter(Boolean).join(", ")));
}
