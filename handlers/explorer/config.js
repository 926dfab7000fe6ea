// The view that asks /v1/resolve which encoding each layer of a config.json uses.
import { ask } from "./ask.js";
import { byId, element } from "./dom.js";
import { problemBox, problemOf } from "./problem.js";
import { flatten, hashOf } from "./request.js";
import { valueList, warningList } from "./result.js";
import { View } from "./view.js";

const PATH = "/v1/resolve";

const EXAMPLE = JSON.stringify({ model_type: "llama", hidden_size: 4096, num_attention_heads: 32,
  num_hidden_layers: 32, max_position_embeddings: 131072, rope_theta: 500000,
  rope_scaling: { rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4,
    original_max_position_embeddings: 8192 } }, null, 2);

export class ConfigView extends View {
  constructor(catalogue, go) {
    super("config", catalogue, go);
    const { area, node } = configForm((text) => go(PATH, new Map(text ? [["config", text]] : []), "config"));
    this.area = area;
    this.form.append(node);
  }

  arrive(target, values) {
    const text = values.get("config") || EXAMPLE;

    if (this.area.value !== text) this.area.value = text;
    this.area.removeAttribute("aria-invalid");
    this.run(async (signal) => {
      const answer = await (await ask({ url: PATH, body: text }, signal)).json();
      const count = answer.uses.length;

      this.show(`${answer.model_type || "This model"} uses ${count === 1 ? "one encoding" : `${count} encodings`}`,
        resolution(answer, (name) => this.catalogue.tableOf(name)));
    });
  }

  showProblem(error) {
    const problem = problemOf(error);

    this.area.setAttribute("aria-invalid", "true");
    this.show("");
    byId("problem").replaceChildren(problemBox(problem,
      [problem.parameter ? element("code", {}, `${problem.parameter} `) : "", problem.detail],
      problem.offset === undefined ? null : ["Show where", () => {
        this.area.focus();
        this.area.setSelectionRange(problem.offset, problem.offset + 1);
      }]));
  }
}

// onEdit(text) on each edit.
function configForm(onEdit) {
  const area = element("textarea", { id: "config", rows: "22", wrap: "off", spellcheck: "false", autocomplete: "off",
    "aria-describedby": "config-help", oninput: () => onEdit(area.value) });
  const file = element("input", { type: "file", id: "config-file", class: "offscreen", accept: ".json,application/json",
    onchange: async () => { if (file.files[0]) onEdit(await file.files[0].text()); } });

  return { area, node: element("div", { class: "form" },
    element("label", { for: "config" }, "config.json"),
    element("p", { class: "help", id: "config-help" }, "Paste a model's file as it is. It is read by this server and kept nowhere but in this page's address."),
    area, element("p", {}, file, element("label", { for: "config-file", class: "button" }, "Open a file"))) };
}

// "layers 0–2, 4"
function layersOf({ layers }, count) {
  const runs = [];

  if (!Array.isArray(layers)) return layers === "all" ? `all ${count || ""} layers` : String(layers);
  for (const layer of layers) {
    const run = runs[runs.length - 1];
    if (run && layer === run[1] + 1) run[1] = layer;
    else runs.push([layer, layer]);
  }
  return `layer${layers.length === 1 ? "" : "s"} ${runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ")}`;
}

// What the use's table is asked with: its parameters, and a length to look at.
function valuesOfUse(use, { parameters }) {
  const values = new Map([...flatten(use.parameters)].filter(([, value]) => value !== "null"));

  for (const name of ["length", "query_length"])
    if (!values.has("length") && !values.has(name) && parameters.some((row) => row.name === name)) values.set(name, "64");
  return values;
}

function useCard(use, count, table) {
  return element("article", { class: "use" },
    element("h3", {}, element("code", {}, use.encoding), ` in ${layersOf(use, count)}`),
    element("p", { class: "help" }, [`${use.component} component`, use.layer_type].filter(Boolean).join(", ")),
    table ? element("p", {}, element("a", { class: "button", href: hashOf(table.path, valuesOfUse(use, table)) }, "Look at its table")) : null,
    element("div", { class: "columns" }, valueList("Parameters", use.parameters), valueList("Derived", use.derived || {}),
      valueList("Query scale", use.query_scale || {})),
    use.notes && use.notes.length > 0 ? element("details", {}, element("summary", {}, "Where the values come from"),
      element("ul", {}, ...use.notes.map((note) => element("li", {}, note)))) : null);
}

// tableOf(encoding) -> its table operation
function resolution(answer, tableOf) {
  return element("div", { class: "resolution" }, warningList(answer.warnings || []),
    ...answer.uses.map((use) => useCard(use, answer.num_hidden_layers, tableOf(use.encoding))));
}
