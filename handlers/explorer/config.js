// The view that asks /v1/resolve which encoding each layer of a config.json uses.
import { ask } from "./ask.js";
import { byId, element, help } from "./dom.js";
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
    const onEdit = (text) => go(PATH, new Map([["config", text]]), "config");
    const file = element("input", { type: "file", id: "config-file", class: "offscreen", accept: ".json,application/json",
      onchange: async () => {
        if (file.files[0]) onEdit(await file.files[0].text());
        file.value = ""; // or the same file, changed, would be no change
      } });

    this.area = element("textarea", { id: "config", rows: "22", wrap: "off", spellcheck: "false", autocomplete: "off",
      "aria-describedby": "config-help", oninput: ({ target }) => onEdit(target.value) });
    this.form.className = "form";
    this.form.append(element("label", { for: "config" }, "config.json"),
      help("A model's file as it is: read by this server, and kept nowhere but in this page's address.", "config-help"),
      this.area, element("p", {}, file, element("label", { for: "config-file", class: "button" }, "Open a file")));
  }

  arrive(target, values) {
    const { area } = this;
    const text = values.get("config") ?? EXAMPLE;

    if (area.value !== text) area.value = text;
    area.removeAttribute("aria-invalid");
    this.run(async (signal) => {
      if (!text.trim()) return () => this.show("No file yet", help("Paste or open one."));
      const answer = await (await ask({ url: PATH, body: area.value }, signal)).json();
      const count = answer.uses.length;

      return () => this.show(`${answer.model_type || "This model"} uses ${count === 1 ? "one encoding" : `${count} encodings`}`,
        warningList(answer.warnings || []),
        ...answer.uses.map((use) => useCard(use, answer.num_hidden_layers, this.catalogue.tableOf(use.encoding))));
    });
  }

  showProblem(error) {
    const { area } = this;
    const problem = problemOf(error);
    const { status, parameter, offset, detail } = problem;

    if (status === 400 || status === 422) area.setAttribute("aria-invalid", "true");
    this.show("");
    byId("problem").replaceChildren(problemBox(problem, [parameter ? element("code", {}, `${parameter} `) : "", detail],
      offset === undefined ? this.retry(problem) : ["Show where", () => {
        const start = unitsBefore(area.value, offset);

        area.focus();
        area.setSelectionRange(start, start + 1);
      }]));
  }
}

// The server counts the bytes before a place, an area UTF-16 units.
function unitsBefore(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}

function layersOf({ layers }, count) {
  const runs = [];

  if (!Array.isArray(layers)) return layers === "all" ? `all ${count || ""} layers` : layers;
  for (const layer of layers) {
    const run = runs.at(-1);
    if (run && layer === run[1] + 1) run[1] = layer;
    else runs.push([layer, layer]);
  }
  return `layer${layers.length === 1 ? "" : "s"} ${runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ")}`;
}

// Its table needs a length to look at, too.
function valuesOfUse(use, { parameters }) {
  const values = new Map([...flatten(use.parameters)].filter(([, value]) => value !== "null"));

  for (const name of ["length", "query_length"])
    if (!values.has("length") && !values.has(name) && parameters.some((row) => row.name === name)) values.set(name, "64");
  return values;
}

function useCard(use, count, table) {
  return element("article", { class: "use" },
    element("h2", {}, element("code", {}, use.encoding), ` in ${layersOf(use, count)}`),
    help([`${use.component} component`, use.layer_type].filter(Boolean).join(", ")),
    table && element("p", {}, element("a", { class: "button", href: hashOf(table.path, valuesOfUse(use, table)) }, "Look at its table")),
    element("div", { class: "columns" }, valueList("Parameters", use.parameters), valueList("Derived", use.derived),
      valueList("Query scale", use.query_scale)),
    use.notes?.length > 0 && element("details", {}, element("summary", {}, "Where the values come from"),
      element("ul", {}, ...use.notes.map((note) => element("li", {}, note)))));
}
