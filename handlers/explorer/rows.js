// The catalogue's parameter rows: which there are for an operation, and how a first look begins.

// Rows that the page itself chooses, and those with a place of their own.
export const APART = new Set(["format", "pretty", "numeric_version", "tensor", "config", "preset", "model", "layer", "encoding"]);

// What a first look is made with, where a parameter has no default: by name, else by type.
const EIGHT = "0,1,2,3,4,5,6,7";
const FIRST = { length: "64", dim: "64", heads: "4", query_length: "48", rows: "64", threshold: "16",
  max_relative_position: "8", grid: "8,8", window: "7,7", timesteps: "0,1,10,100,200,500,999",
  offsets: EIGHT, permutation: EIGHT, "list of integers": "4,4", "list of reals": "1,0.5,0.25,0.125", boolean: "true" };

const SHORT = new Set(["integer", "real", "choice", "boolean"]);
const SHOWN_AT_FIRST = 9;
export const RANDOM_MAX = 65536; // numbers of a random tensor

// An operation's rows, by name, behind them those of the encoding's operation that lends it parameters.
export const rowsOf = ({ parameters: own }, served) =>
  new Map([...own, ...(served?.parameters || []), ...own].map((row) => [row.name, row]));

export function byDottedName(rows) {
  const all = new Map(rows);

  for (const row of rows.values()) for (const member of row.members || []) all.set(`${row.name}.${member.name}`, member);
  return all;
}

// Names as the rows have them: an alias, of the first step too, is what it stands for.
export function canonical(values, rows) {
  const aliases = new Map([...rows.values()].flatMap((row) => (row.aliases || []).map((alias) => [alias, row.name])));

  return new Map([...values].map(([name, value]) => {
    const [first, ...more] = name.split(".");
    const known = [rows.has(first) ? first : aliases.get(first) || first, ...more].join(".");
    return [values.has(known) ? name : known, value]; // both: the server says what of it
  }));
}

export function arrange(rows, hasTensors) {
  const plain = [...rows.values()].filter((row) => !APART.has(row.name));
  const single = plain.filter((row) => !row.members);
  const tensors = single.filter((row) => hasTensors && row.type === "tensor").slice(0, 3);
  const first = new Set([...tensors, ...single.filter(isAsked)]);

  for (const row of single) if (first.size < SHOWN_AT_FIRST && SHORT.has(row.type)) first.add(row);
  return { first: single.filter((row) => first.has(row)).sort((a, b) => tensors.includes(b) - tensors.includes(a)),
    more: single.filter((row) => !first.has(row)), groups: plain.filter((row) => row.members) };
}

// Required, or required unless something less common is given.
function isAsked(row) {
  return row.required || /\brequired(?:, unless| for a generated)/.test(row.default_note || "");
}

export const takesTensors = ({ methods }) => !methods.includes("GET");

export function firstValues(operation, rows) {
  const isTensor = (row) => row.type === "tensor";
  const all = [...rows.values()].filter((row) => !APART.has(row.name) && row.type !== "object"
    && (!isTensor(row) || operation.parameters.includes(row)));
  const isTold = takesTensors(operation) ? /tensor|scores|\bq\b|x's/ : /^$/;
  const asked = all.filter((row) => isAsked(row) && (row.required || !isTold.test(row.default_note)));

  if (takesTensors(operation) && !asked.some(isTensor)) asked.push(...all.filter(isTensor).slice(0, 1));
  if (!rows.has("length")) asked.push(...all.filter((row) => row.name === "offsets"));
  const values = new Map(asked.map((row) => [row.name, firstValue(row)]));
  if (values.has("grid") && values.has("x")) values.set("grid", "2,4"); // as many cells as tokens
  return values;
}

function firstValue({ name, type, choices, minimum }) {
  if (type === "tensor") return name === "indices" ? `[${EIGHT}]` : randomTensor(name === "scores" ? [4, 8, 8] : [8, 8]);
  return FIRST[name] || (choices ? choices[0] : FIRST[type] || String(Math.max(1, minimum || 1)));
}

// Standard normal numbers, nested as the shape says.
export function randomTensor([count, ...inner]) {
  if (count === undefined) return normal().toFixed(2);
  return `[${Array.from({ length: count }, () => randomTensor(inner)).join(",")}]`;
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

// "integer from 1 to 1048576"; bounds that nobody meets are left out.
export function kindOf({ type, minimum, exclusive_minimum: above, maximum }) {
  const bound = (word, number) => (number === undefined || Math.abs(number) >= 2 ** 53 - 1 ? ""
    : ` ${word} ${String(number).replace(/0{6,}$/, ({ length }) => `e${length}`)}`);

  return type === "choice" || type === "text" ? ""
    : type + bound("above", above) + bound("from", minimum) + bound("to", maximum);
}

// What a field that is left empty stands for, where that is short; its help has the rest.
export function fallbackOf(row) {
  if (row.default !== undefined && row.default !== null) return [].concat(row.default).join(",");
  return isLong(row) ? "" : row.default_note || (row.required ? "" : "none");
}

const isLong = ({ default_note: note = "" }) => note.length > 28;

// "Number of positions. Required, unless ..."
export function helpOf(row) {
  const sentences = [row.meaning, row.no_default_because, isLong(row) && `${/^required/.test(row.default_note) ? "" : "Default: "}${row.default_note}`,
    row.aliases && `also ${row.aliases.join(", ")}`];

  return sentences.filter(Boolean).map(sentence).join(" ");
}

// With a capital letter, unless a symbol or a name stands first, and a full stop.
export function sentence(text) {
  return text.replace(/^(a|[a-z]{2,})(?=[ ,-])/, (word) => word[0].toUpperCase() + word.slice(1)).replace(/[^.?!]$/, "$&.");
}
