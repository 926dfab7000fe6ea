// The form: a field for each parameter row. It keeps no values of its own; onEdit(name, text, how)
// tells of each edit, text "" of an emptied field, how "type" or "choose".
import { element, help, newId, replace, select, setValue } from "./dom.js";
import { arrange, fallbackOf, helpOf, kindOf, randomTensor, RANDOM_MAX } from "./rows.js";

export class Form {
  constructor(onEdit) {
    this.onEdit = onEdit;
    this.fields = new Map(); // by dotted name: {input, box, error}
    this.summary = element("summary", { class: "fold" }, "Parameters");
    this.node = element("details", {}, this.summary);
    const wide = matchMedia("(min-width: 50.01rem)"); // where the summary is not shown
    this.node.open = wide.matches;
    wide.onchange = () => { this.node.open ||= wide.matches; };
  }

  build(rows, hasTensors) {
    const { first, more, groups } = arrange(rows, hasTensors);

    this.fields.clear();
    replace(this.node, this.summary,
      ...first.map((row) => this.field(row.name, row)),
      ...groups.map((row) => fold([element("code", {}, row.name), " ", element("span", { class: "help" }, row.meaning)],
        row.members.map((member) => this.field(`${row.name}.${member.name}`, member)))),
      more.length > 0 && fold([`More parameters (${more.length})`], more.map((row) => this.field(row.name, row))));
  }

  field(name, row) {
    const id = newId("field");
    const input = this.input(name, row, { id, name, "aria-describedby": `${id}-help ${id}-error`, "aria-required": row.required && "true" });
    const error = element("div", { class: "error", id: `${id}-error` });
    const box = element("div", { class: "field", "data-name": name },
      element("div", { class: "head" }, element("label", { for: id }, name), element("span", { class: "kind" }, kindOf(row))), input,
      row.type === "tensor" && this.filler(input, name), error, help(helpOf(row), `${id}-help`));

    this.fields.set(name, { input, box, error });
    return box;
  }

  input(name, row, attributes) {
    const onedit = (how) => ({ target }) => this.onEdit(name, target.value, how);

    if (row.type === "choice" || row.type === "boolean")
      return select({ ...attributes, onchange: onedit("choose") },
        [["", row.required ? "choose" : fallbackOf(row).replace(/^(?!required).+/, "$& (default)") || "default"], ...(row.choices || ["true", "false"])]);
    const isLong = row.type === "tensor" || row.type === "object";
    return element(isLong ? "textarea" : "input", { ...attributes, autocomplete: "off", spellcheck: "false",
      rows: isLong && "3", type: !isLong && "text", placeholder: isLong ? "JSON" : fallbackOf(row),
      inputmode: row.type === "integer" && row.minimum >= 0 && "numeric", oninput: onedit("type") });
  }

  // For tensors that somebody only wants to try.
  filler(input, name) {
    const shape = element("input", { type: "text", value: "8, 8", "aria-label": `Shape of a random ${name}` });

    return element("div", { class: "filler" }, shape, element("button", { "aria-label": `Random ${name}`, onclick: () => {
      const sizes = (shape.value.match(/\d+/g) || ["none"]).map(Number);

      if (sizes.reduce((product, size) => product * size) <= RANDOM_MAX) {
        input.value = randomTensor(sizes);
        this.onEdit(name, input.value, "choose");
      } else {
        this.showProblem(name, [`Sizes such as 8, 8: of ${RANDOM_MAX} numbers at most.`]);
      }
    } }, "Random"));
  }

  // What is no parameter gets a field, too: it was given.
  show(values, isApart) {
    for (const name of values.keys())
      if (!this.fields.has(name) && !isApart(name))
        this.node.append(this.field(name, { name, type: "text", meaning: "as it was given" }));
    for (const [name, { input, box }] of this.fields) {
      const value = values.get(name) ?? "";

      if (input.value !== value) setValue(input, value);
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

  // At the nearest field that it names; false when there is none.
  showProblem(name, content) {
    const field = this.find(name);

    if (!field) return false;
    field.input.setAttribute("aria-invalid", "true");
    replace(field.error, ...content);
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

// What a field is folded in, but not all of the form.
function reveal(node) {
  if (node.matches(".more")) node.open = true;
}
