// The top of a form: which encoding and operation, or which quantity of it; and the bundles of
// parameters, presets and models, which take the place of those that they set.
import { element, newId, select } from "./dom.js";
import { askJson } from "./ask.js";
import { operationOf } from "./catalogue.js";
import { flatten, readHash } from "./request.js";
import { sentence } from "./rows.js";

export class Start {
  // view: {name, catalogue, target, encoding, rows, values, go}
  constructor(view) {
    this.view = view;
    this.node = element("div", { class: "form" });
    this.shown = "";
  }

  show() {
    const { view } = this;
    const bundles = ["preset", "model", "layer"].map((name) => view.values.get(name) || "");
    const shown = [view.target.operation.path, view.encoding?.name, ...bundles].join();

    if (shown === this.shown) return; // the focus stays
    const focused = document.activeElement.name;
    this.shown = shown;
    this.node.replaceChildren(...(view.name === "analysis" ? this.quantityFields() : this.encodingFields()),
      ...this.bundleFields(...bundles));
    if (focused) this.node.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  }

  follow(hash) {
    const { path, values } = readHash(hash);
    this.view.go(path, values);
  }

  encodingFields() {
    const { catalogue, encoding, target: { operation } } = this.view;
    const operations = encoding.operations.map((one) => one.name);

    return [
      choice("Encoding", catalogue.encodings.map((one) => one.name), encoding.name, encoding.summary,
        (name) => this.follow(catalogue.addressOf(catalogue.tableOf(name)))),
      ...(operations.length > 1 ? [choice("Operation", operations, operation.name, operation.summary,
        (name) => this.follow(catalogue.addressOf(operationOf(encoding, name))))] : [])];
  }

  quantityFields() {
    const { catalogue, encoding, target: { operation } } = this.view;
    const name = encoding?.name;

    return [
      choice("Quantity", catalogue.quantities.map((one) => one.name), operation.name, operation.summary,
        (quantity) => this.follow(catalogue.addressOfQuantity(catalogue.quantity(quantity), name))),
      ...(operation.encodings ? [choice("Encoding", operation.encodings, name, encoding?.summary,
        (other) => this.follow(catalogue.addressOfQuantity(operation, other)))] : [])];
  }

  bundleFields(presetName, model, layer) {
    const { catalogue, encoding, rows } = this.view;
    const presets = rows.has("preset") && encoding ? encoding.presets : [];
    const preset = presets.find((one) => one.name === presetName);
    const list = element("datalist", { id: newId("models") },
      ...catalogue.models.flatMap(({ name, aliases }) => [name, ...aliases]).map((value) => element("option", { value })));

    return [
      ...(presets.length > 0 ? [choice("Preset", [["", "none"], ...presets.map((one) => one.name)], presetName,
        (preset || rows.get("preset")).meaning, (name) => this.choosePreset(name))] : []),
      ...(rows.has("model") ? [textField("Model", "model", model, rows.get("model").meaning,
        (name) => this.chooseModel(name), list.id), list] : []),
      ...(model || layer ? [textField("Layer", "layer", layer, rows.get("layer").meaning,
        (text) => this.go(this.view.values, "layer", text))] : [])];
  }

  go(values, name, text, path = this.view.target.operation.path) {
    const changed = new Map(values);

    if (text) changed.set(name, text);
    else changed.delete(name);
    this.view.go(path, changed);
  }

  choosePreset(name) {
    const preset = this.view.encoding.presets.find((one) => one.name === name);
    const values = new Map(this.view.values);

    for (const set of preset ? flatten(preset.settings).keys() : []) values.delete(set);
    this.go(values, "preset", name);
  }

  // A model that uses another encoding leads there; one that there is not, the server refuses.
  async chooseModel(name) {
    const { catalogue, encoding, target, values } = this.view;
    const uses = name ? await usesOf(name) : [];
    const use = uses.find((one) => one.encoding === encoding.name) || uses[0];
    const table = use && use.encoding !== encoding.name ? catalogue.tableOf(use.encoding) : null;
    const changed = new Map(table ? readHash(catalogue.addressOf(table)).values : values);

    if (this.view.target !== target) return; // it took too long
    for (const key of use ? flatten(use.parameters).keys() : []) changed.delete(key);
    changed.delete("layer");
    this.go(changed, "model", name, table ? table.path : target.operation.path);
  }
}

async function usesOf(name) {
  try {
    return (await askJson(`/v1/models/${encodeURIComponent(name)}`)).uses;
  } catch {
    return []; // the request with this model says what is wrong
  }
}

function choice(label, options, value, help, onChoose) {
  return labelled(label, help, select({ id: newId("choice"), name: label, onchange: ({ target }) => onChoose(target.value) }, options, value));
}

function textField(label, name, value, help, onChange, list) {
  return labelled(label, help, element("input", { id: newId("choice"), type: "text", name, value, list, placeholder: "none",
    autocomplete: "off", spellcheck: "false", onchange: ({ target }) => onChange(target.value.trim()) }));
}

function labelled(label, help, input) {
  input.setAttribute("aria-describedby", `${input.id}-help`);
  return element("div", { class: "field choice", "data-name": input.name }, element("label", { for: input.id }, label), input,
    element("p", { class: "help", id: `${input.id}-help` }, help ? sentence(help) : ""));
}
