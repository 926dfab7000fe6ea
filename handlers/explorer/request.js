// From what the form holds to a request, and to the page's own address and back. Values are texts
// by dotted name, in the order of their setting: Map {"dim" -> "64"}.
import { refusal } from "./ask.js";

const URL_MAX = 6000; // what is longer goes as a body

// Path and query in the page's hash: "#/v1/rope?dim=64".
export function readHash(hash) {
  const [, path, query] = /^#?([^?]*)\??([^]*)$/.exec(hash);

  return { path, values: new Map(new URLSearchParams(query)) };
}

// Commas, colons and slashes read better as they are.
function encode(text) {
  return encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
}

function addressOf(path, values) {
  return `${path}${values.size ? "?" : ""}${[...values].map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")}`;
}

export const hashOf = (path, values) => `#${addressOf(path, values)}`;

// `rows`, by dotted name, say how values are sent, and `more` as what they are to come back.
export function buildRequest(operation, rows, values, more = {}) {
  const all = new Map([...values, ...Object.entries(more)]);

  if (operation.methods.includes("GET") && hashOf("", values).length < URL_MAX && !needsBody(rows, values))
    return { url: addressOf(operation.path, all) };
  return { url: operation.path, body: bodyOf(rows, all) };
}

function needsBody(rows, values) {
  return [...values].some(([name, value]) => /^\s*[[{]/.test(value) && !isText(rows.get(name)));
}

const isText = (row) => ["text", "choice"].includes(row?.type);

// A JSON object, its numbers with the digits that were typed.
function bodyOf(rows, values) {
  const tree = new Map(); // not an object: names may be "__proto__"

  for (const [name, value] of values) {
    const steps = name.split(".");
    const leaf = steps.pop();
    let node = tree;
    if ([...values.keys()].some((other) => other.startsWith(`${name}.`)))
      throw refusal({ status: 422, title: "said twice", detail: `Members of ${name} stand beside it.`, parameter: name });
    for (const step of steps) {
      if (!node.has(step)) node.set(step, new Map());
      node = node.get(step);
    }
    node.set(leaf, jsonOf(rows.get(name), value, name));
  }
  return write(tree);
}

function write(node) {
  if (!(node instanceof Map)) return node;
  return `{${[...node].map(([name, value]) => `${JSON.stringify(name)}: ${write(value)}`).join(", ")}}`;
}

function jsonOf(row, value, name) {
  const text = value.trim();

  if (isText(row)) return JSON.stringify(value);
  if (/^[[{]/.test(text)) return checkJson(text, name);
  if (row?.type.startsWith("list of") && text !== "null") return `[${text.split(",").map(scalar).join(", ")}]`;
  return scalar(text);
}

function scalar(text) {
  const word = text.trim();
  const isJson = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(word);

  return isJson ? word : JSON.stringify(word);
}

function checkJson(text, name) {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw refusal({ status: 400, title: "malformed JSON", detail: `This is not JSON: ${error.message}.`, parameter: name });
  }
}

// JSON without control characters, which a terminal would obey: spaces, or in a text escaped.
function plain(json) {
  return json.replace(/[\0-\x1f\x7f-\x9f]/g, (sign) => (sign < " " ? " " : `\\u00${sign.charCodeAt().toString(16)}`));
}

// What a shell takes to ask the same. The token is a variable there: it is nobody's to copy.
export function curlOf(request, hasToken) {
  const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
  const token = hasToken ? ' -H "Authorization: Bearer $TOKEN"' : "";
  const body = request.body === undefined ? "" : ` --json ${quote(plain(request.body))}`;

  return `curl${token}${body} ${quote(location.origin + request.url)}`;
}

// An object's values by dotted name, as the query spells them.
export function flatten(object, prefix = "") {
  const flat = new Map();

  for (const [name, value] of Object.entries(object)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      for (const [inner, text] of flatten(value, `${prefix}${name}.`)) flat.set(inner, text);
    else flat.set(prefix + name, spell(value));
  }
  return flat;
}

function spell(value) {
  if (!Array.isArray(value)) return String(value);
  return value.some((item) => item === null || typeof item === "object") ? JSON.stringify(value) : value.join(",");
}
