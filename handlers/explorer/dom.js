// Building the page out of nodes. Text only ever becomes a text node, never markup.

let last = 0;

// element("a", {class: "x", onclick: f, hidden: true}, "text", node, ...)
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);

  for (const [name, value] of Object.entries(attributes)) {
    if ([undefined, null, false].includes(value)) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.map((child) => child ?? ""));
  return node;
}

// An id that no other element has.
export function newId(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}

export function byId(id) {
  return document.getElementById(id);
}

// A <select> of [value, label] pairs, or of values that are their own labels.
export function select(attributes, options, value) {
  const node = element("select", attributes);

  for (const option of options) {
    const [key, label] = Array.isArray(option) ? option : [option, option];
    node.append(element("option", { value: key, selected: key === value }, label));
  }
  return node;
}

// A button that puts the text on the clipboard, and says that it has.
export function copyButton(what, text) {
  const button = element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");

  button.onclick = async () => {
    button.textContent = (await copy(text)) ? "Copied" : "Select it";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  return button;
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
