// Asking the server: with the token where there is one, and never reading more than is shown.

import { byId } from "./dom.js";

const TOKEN = "posenc-token";
const HEAD_BYTES = 65536;
const PEEK_BYTES = 262144;
const ROWS_SHOWN = 12;

let token = readToken();

// Storage may be switched off; the token then lasts as long as the page.
function readToken() {
  try {
    return sessionStorage.getItem(TOKEN) || "";
  } catch {
    return "";
  }
}

export function setToken(text) {
  token = text;
  try {
    sessionStorage.setItem(TOKEN, text);
  } catch { /* kept in memory */ }
}

export const hasToken = () => token !== "";

// A header cannot carry every text; one that it cannot is no token of the server's.
function authorization() {
  return token && /^[\x21-\x7e]+$/.test(token) ? { Authorization: `Bearer ${token}` } : {};
}

// An error with the answer's problem document; a proxy in between may have answered otherwise. A
// server that asks for tokens lets the page through, and nothing else.
function refusal(status, text) {
  const error = new Error("refused");

  if (status === 401) {
    byId("token").hidden = false;
    byId("token-text").focus();
  }
  try {
    error.document = { status, ...JSON.parse(text) };
  } catch {
    error.document = { status, title: `status ${status}`, detail: text.slice(0, 200) };
  }
  return error;
}

// request: {url, body}; a body is sent by POST, as JSON.
export async function ask(request, signal, headers = {}) {
  const post = request.body !== undefined;
  const response = await fetch(request.url, { method: post ? "POST" : "GET", body: request.body, signal,
    headers: { ...headers, ...(post ? { "Content-Type": "application/json" } : {}), ...authorization() } });

  if (!response.ok) throw refusal(response.status, await response.text());
  return response;
}

export async function askJson(url, signal) {
  return (await ask({ url }, signal, { Accept: "application/json" })).json();
}

// The first bytes of an answer; the rest is neither waited for nor, mostly, computed.
async function readStart(response, limit) {
  const reader = response.body.getReader();
  const parts = [];
  let size = 0;

  while (size < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  await reader.cancel();
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// What a result is, without its values: the header of the safetensors answer (8 bytes of length,
// then JSON): {parameters, derived, warnings, tensors: {name: {dtype, shape}}}
export async function askHead(request, signal, limit = HEAD_BYTES) {
  const range = request.body === undefined ? { Range: `bytes=0-${limit - 1}` } : {};
  const bytes = await readStart(await ask(request, signal, range), limit);
  const end = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));

  if (end > limit) return askHead(request, signal, end);
  const { __metadata__: meta, ...tensors } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, end)));
  return { tensors, parameters: JSON.parse(meta.parameters), derived: JSON.parse(meta.derived),
    warnings: JSON.parse(meta.warnings || "[]") };
}

// The first rows of a csv answer, as texts: {names, rows}; a row that is not all there is cut.
export async function askRows(request, signal) {
  const bytes = await readStart(await ask(request, signal), PEEK_BYTES);
  const lines = new TextDecoder().decode(bytes).split("\n").slice(0, ROWS_SHOWN + 2);
  const cut = lines.pop(); // "" behind the last line end, or a line that goes on

  if (lines.length === 0) lines.push(cut.slice(0, cut.lastIndexOf(",")));
  const [names, ...rows] = lines.map((line) => line.replace(/\r$/, "").split(","));
  return { names, rows };
}

// The picture as an address that only this page knows: an <img> could not send the token.
export async function askPicture(request, signal) {
  return URL.createObjectURL(await (await ask(request, signal)).blob());
}
