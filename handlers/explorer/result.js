// The result: picture, addresses, numbers, and everything as it was understood.
import { copyButton, element } from "./dom.js";
import { flatten } from "./request.js";

const COLUMNS_SHOWN = 10;
const ITEMS_SHOWN = 8;
const KINDS = { F: "float", B: "bfloat", I: "int", U: "uint" };

export function describeTensor(name, { dtype, shape }) {
  return `${name}: ${KINDS[dtype[0]]}${dtype.replace(/^\D+/, "")} [${shape.join(", ")}]`;
}

// The tensors as a row of buttons, the chosen one pressed.
export function tensorBar(tensors, meanings, chosen, onChoose) {
  return element("div", { class: "tensors", role: "group", "aria-label": "Tensor" },
    ...Object.entries(tensors).map(([name, tensor]) => element("button", { type: "button",
      "aria-pressed": name === chosen ? "true" : "false", title: meanings.get(name),
      onclick: () => onChoose(name) },
    element("code", {}, name), " ", element("span", { class: "shape" }, tensor.shape.join(" × ") || "scalar"))));
}

export function warningList(warnings) {
  if (warnings.length === 0) return null;
  return element("div", { class: "warnings" }, element("h3", {}, warnings.length === 1 ? "Warning" : "Warnings"),
    element("ul", {}, ...warnings.map((warning) => element("li", {},
      warning.parameter ? element("code", {}, warning.parameter) : null, " ", warning.detail || String(warning)))));
}

// One line to copy.
function copyLine(label, text) {
  return element("div", { class: "line" }, element("span", { class: "label" }, label),
    element("code", { tabindex: "0", "aria-label": label }, text), copyButton(label, text));
}

// downloads: [[label, href, onclick]]; href null where a link cannot do it.
export function takeAlong(url, method, curl, downloads) {
  return element("section", { class: "along", "aria-label": "Take it along" },
    copyLine(method, url), copyLine("curl", curl),
    element("div", { class: "line" }, element("span", { class: "label" }, "Download"),
      element("span", { class: "downloads" }, ...downloads.map(([label, href, onclick]) => href
        ? element("a", { href, download: "" }, label)
        : element("button", { type: "button", class: "link", onclick }, label)))));
}

export function numberTable({ names, rows }, { shape }) {
  const count = (shape.length > 1 ? shape.slice(0, -1) : shape).reduce((product, size) => product * size, 1);
  const isCut = names.length > COLUMNS_SHOWN;
  const cells = (row, tag, attributes) => [...row.slice(0, COLUMNS_SHOWN).map((cell) => element(tag, attributes, cell)),
    isCut ? element("td", {}, "…") : null];

  return element("section", {}, element("h3", {}, "First numbers"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "First numbers" }, element("table", {},
      element("thead", {}, element("tr", {}, element("td"), ...cells(names, "th", { scope: "col" }))),
      element("tbody", {}, ...rows.map((row, index) => element("tr", {}, element("th", { scope: "row" }, String(index)), ...cells(row, "td")))))),
    element("p", { class: "help" }, `${rows.length} of ${count} rows, ${Math.min(COLUMNS_SHOWN, names.length)} of ${names.length} columns.`));
}

// Names and values; `set` are those that the request set itself.
export function valueList(title, object, set = new Map()) {
  const entries = [...flatten(object)];

  if (entries.length === 0) return null;
  return element("section", {}, element("h3", {}, title),
    element("dl", {}, ...entries.map(([name, value]) => element("div", { class: set.has(name) ? "set" : null },
      element("dt", {}, name), element("dd", {}, ...longValue(value))))));
}

// Long lists are folded.
function longValue(value) {
  const items = value.split(",");

  if (items.length <= ITEMS_SHOWN) return [items.join(", ")];
  return [element("details", {}, element("summary", {}, `${items.slice(0, 2).join(", ")}, … (${items.length})`), items.join(", "))];
}
