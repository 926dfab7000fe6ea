// Building the page out of nodes. Text only ever becomes a text node, never markup.
let last = 0;

// element("a", {class: "x", onclick: f, hidden: true}, "text", node, ...)
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);

  if (tag === "button") node.type = tag; // of no form
  for (const [name, value] of Object.entries(attributes)) {
    if ([undefined, null, false].includes(value)) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(Boolean));
  return node;
}

export const help = (text, id) => element("p", { class: "help", id }, text);
export const section = (title, ...content) => element("section", {}, element("h2", {}, title), ...content);

export const byId = (id) => document.getElementById(id);

export const newId = (prefix) => `${prefix}-${last += 1}`;

// Replaces what is in a node. The focus stays on what has the same name, or near.
export function replace(node, ...children) {
  const { activeElement } = document;
  const isInside = node.contains(activeElement);

  node.replaceChildren(...children.filter(Boolean));
  if (isInside) (node.querySelector(`[name="${CSS.escape(activeElement.name || "")}"]`) || node.closest("[tabindex]"))?.focus();
}

// Options are [value, label], or values that are their own labels.
export function select(attributes, options, value = "") {
  const node = element("select", attributes, ...options.map((option) => {
    const [key, label] = [].concat(option, option);
    return element("option", { value: key }, label);
  }));

  setValue(node, value);
  return node;
}

// A value that is no choice becomes one, so that it is seen, and refused by the server.
export function setValue(input, value) {
  if (input.options && ![...input.options].some((option) => option.value === value))
    input.append(element("option", { value }, value));
  input.value = value;
}

// A button that puts the text on the clipboard, and says that it has.
export function copyButton(what, text) {
  const word = element("span", { "aria-live": "polite" }, "Copy");

  return element("button", { class: "copy", onclick: async ({ currentTarget }) => {
    word.textContent = (await copy(text)) ? "Copied" : "Select it";
    currentTarget.focus();
    setTimeout(() => { word.textContent = "Copy"; }, 1500);
  } }, word, element("span", { class: "offscreen" }, ` ${what}`));
}

// Browsers have a clipboard on secure pages only; elsewhere an old command does it.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "offscreen", readonly: true });

    document.body.append(area);
    area.value = text;
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
