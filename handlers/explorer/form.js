// The form: a field for each parameter row. It keeps no values of its own; onEdit(name, text, how)
// tells of each edit, text "" of an emptied field, how "type" or "choose".
import { element, newId, select } from "./dom.js";
import { arrange, fallbackOf, helpOf, kindOf, randomTensor, RANDOM_MAX } from "./rows.js";

export class Form {
  constructor(onEdit) {
    this.onEdit = onEdit;
    this.fields = new Map(); // by dotted name: {input, box, error}
    this.summary = element("summary", { class: "fold" }, "Parameters");
    this.node = element("details", { class: "form" }, this.summary);
    const wide = matchMedia("(min-width: 50.01rem)"); // where the summary is not shown
    this.node.open = wide.matches;
    wide.onchange = () => { this.node.open ||= wide.matches; };
  }

  // Builds the fields anew, which takes the focus away: only where the rows are others.
  build(rows, takesTensors) {
    const { first, more, groups } = arrange(rows, takesTensors);

    this.fields.clear();
    this.node.replaceChildren(this.summary,
      ...first.map((row) => this.field(row.name, row)),
      ...groups.map((row) => fold([element("code", {}, row.name), " ", element("span", { class: "help" }, row.meaning)],
        row.members.map((member) => this.field(`${row.name}.${member.name}`, member)))),
      ...(more.length ? [fold([`More parameters (${more.length})`], more.map((row) => this.field(row.name, row)))] : []));
  }

  field(name, row) {
    const id = newId("field");
    const input = this.input(name, row, { id, name, "aria-describedby": `${id}-help ${id}-error`, "aria-required": row.required && "true" });
    const error = element("div", { class: "error", id: `${id}-error` });
    const box = element("div", { class: "field", "data-name": name },
      element("div", { class: "head" }, element("label", { for: id }, name), element("span", { class: "kind" }, kindOf(row))), input,
      row.type === "tensor" ? this.filler(input, name) : null, error,
      element("p", { class: "help", id: `${id}-help` }, helpOf(row)));

    this.fields.set(name, { input, box, error });
    return box;
  }

  input(name, row, attributes) {
    const onedit = (how) => ({ target }) => this.onEdit(name, target.value, how);

    if (row.type === "choice" || row.type === "boolean")
      return select({ ...attributes, onchange: onedit("choose") },
        [["", row.required ? "choose" : fallbackOf(row) ? `${fallbackOf(row)} (default)` : "default"], ...(row.choices || ["true", "false"])], "");
    const isLong = row.type === "tensor" || row.type === "object";
    return element(isLong ? "textarea" : "input", { ...attributes, autocomplete: "off", spellcheck: "false",
      rows: isLong && "3", type: !isLong && "text", placeholder: isLong ? "JSON" : fallbackOf(row),
      inputmode: row.type === "integer" && "numeric", oninput: onedit("type") });
  }

  // Random numbers of a shape, for tensors that somebody only wants to try.
  filler(input, name) {
    const shape = element("input", { type: "text", value: "8, 8", "aria-label": `Shape of a random ${name}` });

    return element("div", { class: "filler" }, shape, element("button", { type: "button", onclick: () => {
      const sizes = (shape.value.match(/\d+/g) || []).map(Number);
      const isGood = sizes.length > 0 && sizes.reduce((product, size) => product * size) <= RANDOM_MAX;

      shape.toggleAttribute("aria-invalid", !isGood);
      if (!isGood) return;
      input.value = randomTensor(sizes);
      this.onEdit(name, input.value, "choose");
    } }, "Random"));
  }

  // Puts the values into the fields. What is no parameter gets a field, too: it was given.
  show(values, apart) {
    for (const name of values.keys())
      if (!this.fields.has(name) && !apart.has(name))
        this.node.append(this.field(name, { name, type: "text", meaning: "as it was given" }));
    for (const [name, { input, box }] of this.fields) {
      const value = values.get(name) ?? "";

      if (input.value !== value) setInput(input, value);
      box.classList.toggle("set", value !== "");
      if (value !== "") reveal(box.parentNode);
    }
  }

  clearProblem() {
    for (const { input, error } of this.fields.values()) {
      input.removeAttribute("aria-invalid");
      error.replaceChildren();
    }
  }

  // Shows a problem at the field that it names, the nearest there is; false when there is none.
  showProblem(name, content) {
    const field = this.find(name);

    if (!field) return false;
    field.input.setAttribute("aria-invalid", "true");
    field.error.replaceChildren(...content);
    reveal(field.box.parentNode);
    return true;
  }

  focus(name) {
    this.node.open = true;
    this.find(name).input.focus();
  }

  find(name) {
    const steps = name.split(".");

    while (steps.length > 1 && !this.fields.has(steps.join("."))) steps.pop();
    return this.fields.get(steps.join("."));
  }
}

function fold(summary, content) {
  return element("details", { class: "more" }, element("summary", {}, ...summary), ...content);
}

// A value that is no choice becomes one, so that it is seen, and refused by the server.
function setInput(input, value) {
  if (input.tagName === "SELECT" && ![...input.options].some((option) => option.value === value))
    input.append(element("option", { value }, value));
  input.value = value;
}

// What a field is folded in, but not all of the form.
function reveal(node) {
  if (node.matches(".more")) node.open = true;
}
