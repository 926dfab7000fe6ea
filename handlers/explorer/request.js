// From what the form holds to a request, and to the page's own address and back.

// Values are texts by dotted name, in the order of their setting: Map {"dim" -> "64"}.

const URL_MAX = 6000; // what is longer goes as a body

// Path and query in the page's hash: "#/v1/rope?dim=64".
export function readHash(hash) {
  const [, path, query] = /^#?([^?]*)\??([^]*)$/.exec(hash);

  return { path, values: new Map(new URLSearchParams(query)) };
}

// Commas, colons and slashes may stand in a query as they are, and read better so.
function encode(text) {
  return encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
}

export function queryOf(values) {
  return [...values].map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}

export function hashOf(path, values) {
  return `#${path}${values.size ? "?" : ""}${queryOf(values)}`;
}

// Values for one representation; `operation` and `rows` (by name) say how they are sent.
export function buildRequest(operation, rows, values, more = {}) {
  const all = new Map([...values, ...Object.entries(more)]);
  const query = queryOf(all);

  if (operation.methods.includes("GET") && query.length < URL_MAX && !needsBody(rows, values))
    return { url: `${operation.path}${query ? "?" : ""}${query}` };
  return { url: operation.path, body: bodyOf(rows, all) };
}

function needsBody(rows, values) {
  return [...values].some(([name, value]) => /^\s*[[{]/.test(value) && !isText(rows.get(name)));
}

function isText(row) {
  return row !== undefined && (row.type === "text" || row.type === "choice");
}

// A JSON object, its numbers with the digits that were typed. Throws what is no JSON as a problem
// of the same form as the server's.
function bodyOf(rows, values) {
  const tree = new Map(); // not an object: names may be "__proto__"

  for (const [name, value] of values) {
    const steps = name.split(".");
    const leaf = steps.pop();
    let node = tree;
    for (const step of steps) {
      if (!(node.get(step) instanceof Map)) node.set(step, new Map());
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
  if (row && row.type.startsWith("list of") && text !== "null") return `[${text.split(",").map(scalar).join(", ")}]`;
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
    throw Object.assign(error, { document: { title: "malformed JSON", detail: `This is no JSON: ${error.message}.`, parameter: name } });
  }
}

// What a shell takes to ask the same. The token is a variable there: it is nobody's to copy.
export function curlOf(request, hasToken) {
  const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
  const token = hasToken ? ' -H "Authorization: Bearer $TOKEN"' : "";
  const body = request.body === undefined ? "" : ` --json ${quote(request.body)}`;

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
