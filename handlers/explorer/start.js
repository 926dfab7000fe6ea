// The top of a form: which encoding and operation, or which quantity of it; and the bundles of
// parameters, presets and models, which take the place of those that they set.
import { element, help, newId, replace, select } from "./dom.js";
import { askJson } from "./ask.js";
import { operationOf } from "./catalogue.js";
import { flatten, readHash } from "./request.js";
import { sentence } from "./rows.js";

const namesOf = (rows) => rows.map((row) => row.name);

export class Start {
  constructor(view) {
    this.view = view;
    this.node = element("div", { class: "form" });
    this.shown = "";
  }

  show() {
    const { target, encoding, values } = this.view;
    const bundles = ["preset", "model", "layer"].map((name) => values.get(name) || "");
    const shown = [target.operation.path, encoding?.name, ...bundles].join();

    if (shown === this.shown) return;
    this.shown = shown;
    replace(this.node, ...(target.encoding ? this.encodingFields() : this.quantityFields()), ...this.bundleFields(...bundles));
  }

  follow(hash) {
    const { path, values } = readHash(hash || location.hash);
    this.view.go(path, values);
  }

  // The same view of another encoding; null where there is none.
  addressOf(name) {
    const { catalogue, target: { encoding, operation } } = this.view;

    if (encoding) return catalogue.addressOf(catalogue.tableOf(name));
    return operation.encodings?.includes(name) ? catalogue.addressOfQuantity(operation, name) : null;
  }

  encodingFields() {
    const { catalogue, encoding: { operations }, target: { operation } } = this.view;

    return [this.encodingField(namesOf(catalogue.encodings)), operations.length > 1
      && choice("Operation", namesOf(operations), operation.name, operation.summary,
        (name) => this.follow(catalogue.addressOf(operationOf(this.view.encoding, name))))];
  }

  quantityFields() {
    const { catalogue, encoding, target: { operation } } = this.view;

    return [choice("Quantity", namesOf(catalogue.quantities), operation.name, operation.summary,
      (name) => this.follow(catalogue.addressOfQuantity(catalogue.quantity(name), encoding?.name))),
    operation.encodings && this.encodingField(operation.encodings)];
  }

  encodingField(names) {
    const { encoding } = this.view;

    return choice("Encoding", names, encoding?.name, encoding?.summary, (name) => this.follow(this.addressOf(name)));
  }

  bundleFields(presetName, model, layer) {
    const { catalogue, encoding, rows } = this.view;
    const presets = (rows.has("preset") && encoding?.presets) || [];
    const preset = presets.find((one) => one.name === presetName) || rows.get("preset");
    const list = element("datalist", { id: newId("models") },
      ...catalogue.models.flatMap(({ name, aliases }) => [name, ...aliases]).map((value) => element("option", { value })));

    return [
      presets.length > 0 && choice("Preset", [["", "none"], ...namesOf(presets)], presetName, preset.meaning,
        (name) => this.choosePreset(name)),
      ...(rows.has("model") ? [textField("Model", "model", model, rows.get("model").meaning,
        (name) => this.chooseModel(name), list.id), list] : []),
      rows.has("layer") && (model || layer) && textField("Layer", "layer", layer, rows.get("layer").meaning, (text) => this.go(this.view.values, "layer", text))];
  }

  go(values, name, text, path = this.view.target.operation.path) {
    const changed = new Map(values);

    if (text) changed.set(name, text);
    else changed.delete(name);
    this.view.go(path, changed);
  }

  choosePreset(name) {
    const preset = this.view.encoding.presets.find((one) => one.name === name);

    this.go(without(this.view.values, preset?.settings), "preset", name);
  }

  // A model that uses another encoding leads there; one that there is not, the server refuses.
  async chooseModel(name) {
    const { encoding, target: { operation } } = this.view;
    const uses = name ? await usesOf(name) : [];
    const use = uses.find((one) => one.encoding === encoding?.name) || uses[0];

    if (this.view.encoding !== encoding || this.view.target.operation !== operation) return; // it took too long
    const other = use && use.encoding !== encoding?.name && this.addressOf(use.encoding);
    const { path, values } = other ? readHash(other) : { path: operation.path, values: this.view.values };
    this.go(without(values, { layer: 0, ...use?.parameters }), "model", name, path);
  }
}

// The values that a bundle does not set itself.
function without(values, settings = {}) {
  const set = flatten(settings);

  return new Map([...values].filter(([name]) => !set.has(name)));
}

async function usesOf(name) {
  try {
    return (await askJson(`/v1/models/${encodeURIComponent(name)}`)).uses;
  } catch {
    return []; // the request with this model says what is wrong
  }
}

function choice(label, options, value, meaning, onChoose) {
  return labelled(label, meaning, select({ id: newId("choice"), name: label, onchange: ({ target }) => onChoose(target.value) }, options, value));
}

function textField(label, name, value, meaning, onChange, list) {
  return labelled(label, meaning, element("input", { id: newId("choice"), type: "text", name, value, list, placeholder: "none",
    autocomplete: "off", spellcheck: "false", onchange: ({ target }) => onChange(target.value.trim()) }));
}

function labelled(label, meaning, input) {
  input.setAttribute("aria-describedby", `${input.id}-help`);
  return element("div", { class: "field", "data-name": input.name }, element("label", { for: input.id }, label), input,
    help(meaning && sentence(meaning), `${input.id}-help`));
}
