// The result: picture, addresses, numbers, and everything as it was understood.
import { copyButton, element, help, section } from "./dom.js";
import { flatten } from "./request.js";

const COLUMNS_SHOWN = 10;
const ITEMS_SHOWN = 8;
const KINDS = { F: "float", B: "bfloat", I: "int", U: "uint" };

export function describeTensor(name, { dtype, shape }) {
  return `${name}: ${KINDS[dtype[0]]}${dtype.replace(/^\D+/, "")} [${shape.join(", ")}]`;
}

export function tensorBar(tensors, meanings, chosen, onChoose) {
  const entries = Object.entries(tensors);

  return entries.length > 1 && element("div", { class: "tensors", role: "group", "aria-label": "Tensor" },
    ...entries.map(([name, tensor]) => element("button", { name, title: meanings.get(name),
      "aria-pressed": String(name === chosen), onclick: () => onChoose(name) },
    element("code", {}, name), " ", element("span", { class: "shape" }, tensor.shape.join(" × ") || "scalar"))));
}

export function warningList(warnings) {
  return warnings.length > 0 && element("div", { class: "warnings" }, element("h2", {}, "Warnings"),
    element("ul", {}, ...warnings.map(({ parameter, detail }) => element("li", {},
      parameter && element("code", {}, parameter), " ", detail))));
}

function copyLine(label, text) {
  return element("div", { class: "line" }, element("span", { class: "label" }, label),
    element("code", { tabindex: "0" }, text), copyButton(label, text));
}

// downloads: [[label, href, onclick]]; href false where a link cannot do it.
export function takeAlong({ url, body }, curl, downloads) {
  return element("div", { class: "along" },
    copyLine(body === undefined ? "GET" : "POST", location.origin + url), copyLine("curl", curl),
    element("div", { class: "line" }, element("span", { class: "label" }, "Download"),
      element("span", { class: "downloads" }, ...downloads.map(([label, href, onclick]) => href
        ? element("a", { href, download: "" }, label)
        : element("button", { class: "link", onclick }, label)))));
}

export function numberTable({ names, rows }, { shape }) {
  const columns = shape.length > 1 ? shape.at(-1) : 1;
  const count = shape.slice(0, Math.max(1, shape.length - 1)).reduce((product, size) => product * size, 1);
  const isCut = columns > COLUMNS_SHOWN;
  const cells = (row, tag, attributes) => [...row.slice(0, COLUMNS_SHOWN).map((cell) => element(tag, attributes, cell)),
    isCut && element("td", {}, "…")];

  return section("First numbers",
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "First numbers" }, element("table", {},
      element("thead", {}, element("tr", {}, element("td"), ...cells(names, "th", { scope: "col" }))),
      element("tbody", {}, ...rows.map((row, index) => element("tr", {}, element("th", { scope: "row" }, String(index)), ...cells(row, "td")))))),
    help(`${rows.length} of ${count} rows, ${Math.min(COLUMNS_SHOWN, columns)} of ${columns} columns.`));
}

// `set` are the names that the request set itself.
export function valueList(title, object, set = new Map()) {
  const entries = [...flatten(object || {})];

  if (entries.length === 0) return null;
  return section(title,
    element("dl", {}, ...entries.map(([name, value]) => element("div", { class: set.has(name) && "set" },
      element("dt", {}, name), element("dd", {}, foldLong(value))))));
}

function foldLong(value) {
  const items = value.split(",");
  const text = items.join(", ");

  return items.length <= ITEMS_SHOWN ? text
    : element("details", {}, element("summary", {}, `${items.slice(0, 2).join(", ")}, … (${items.length})`), text);
}
