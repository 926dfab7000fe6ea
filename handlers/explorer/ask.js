// Asking the server: with the token where there is one, and never reading more than is shown.
import { byId } from "./dom.js";

const TOKEN = "posenc-token";
const HEAD_BYTES = 65536;
const PEEK_BYTES = 4194304;
const ROWS_SHOWN = 12;

// Storage may be switched off; the token then lasts as long as the page.
let token = "";
try {
  token = sessionStorage.getItem(TOKEN) || "";
} catch {}

export function setToken(text) {
  token = text;
  try {
    sessionStorage.setItem(TOKEN, text);
  } catch {}
}

export const hasToken = () => token !== "";

// What a header cannot carry is no token of the server's.
const authorization = () => /^[\x21-\x7e]+$/.test(token) && { Authorization: `Bearer ${token}` };

export const refusal = (document) => Object.assign(new Error(document.title), { document });

// A refusal's problem document, or one for the page that a proxy in between answered with.
function documentOf(response, text) {
  const { status } = response;

  if (typeOf(response) === "application/problem+json") return { ...JSON.parse(text), status };
  return { status, title: `an answer that is not posenc's, with status ${status}`,
    detail: text.replace(/<(style|script)[^]*?<\/\1>|<[^>]*>/gi, " ").trim().slice(0, 200) };
}

const typeOf = (response) => (response.headers.get("Content-Type") || "").split(";")[0];

// A server that asks for tokens lets the page through, and nothing else.
function askForToken() {
  byId("token").hidden = false;
  byId("token-text").focus();
}

// request: {url, body, cache}; a body is sent by POST, as JSON. Throws errors with a problem
// document: without a status where no answer came.
export async function ask({ url, body, cache }, signal, headers) {
  const sent = token;
  const response = await fetch(url, { method: body === undefined ? "GET" : "POST", body, cache, signal,
    headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }), ...authorization() } })
    .catch(() => { throw refusal({ title: "no answer", detail: "The server cannot be reached: it may be down, or the network." }); });

  if (response.ok && typeOf(response) !== "text/html") return response;
  if (response.status === 401 && sent === token) askForToken(); // by now there may be another
  throw refusal(documentOf(response, await response.text()));
}

// What the page is made of must be of the same release as the page.
export async function askJson(url, signal) {
  return (await ask({ url, cache: "no-cache" }, signal, { Accept: "application/json" })).json();
}

// The first bytes of an answer; the rest is neither waited for nor, mostly, computed.
async function readStart(response, limit, linesMax = Infinity) {
  const reader = response.body.getReader();
  const parts = [];
  let size = 0;
  let lines = 0;

  while (size < limit && lines < linesMax) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    lines += value.filter((byte) => byte === 10).length;
  }
  await reader.cancel();
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// What a result is, without its values: the header of the safetensors answer (8 bytes of length,
// then JSON): {parameters, derived, warnings, tensors: {name: {dtype, shape}}}
export async function askHead(request, signal, limit = HEAD_BYTES) {
  const range = request.body === undefined && { Range: `bytes=0-${limit - 1}` };
  const bytes = await readStart(await ask(request, signal, range), limit);
  const end = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));

  if (end > limit) return askHead(request, signal, end);
  const { __metadata__: meta, ...tensors } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, end)));
  return { tensors, parameters: JSON.parse(meta.parameters), derived: JSON.parse(meta.derived),
    warnings: JSON.parse(meta.warnings || "[]") };
}

// The first rows of a csv answer, as texts: {names, rows}; a row that is not all there is left out.
export async function askRows(request, signal) {
  const bytes = await readStart(await ask(request, signal), PEEK_BYTES, ROWS_SHOWN + 1);
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/).slice(0, ROWS_SHOWN + 2);
  const cut = lines.pop(); // "" behind the last line end, or a line that goes on
  const [names, ...rows] = [lines[0] ?? cut, ...lines.slice(1)].map((line) => line.split(","));

  return { names, rows };
}
