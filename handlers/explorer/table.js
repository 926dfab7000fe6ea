// The view of one operation, an encoding's or a quantity's: its result.
import { byId, element, help, section } from "./dom.js";
import { ask, askHead, askRows, hasToken } from "./ask.js";
import { buildRequest, curlOf } from "./request.js";
import { operationOf } from "./catalogue.js";
import { Form } from "./form.js";
import { APART, byDottedName, canonical, rowsOf, sentence, takesTensors } from "./rows.js";
import { Start } from "./start.js";
import { problemBox, problemContent, problemOf } from "./problem.js";
import { describeTensor, numberTable, takeAlong, tensorBar, valueList, warningList } from "./result.js";
import { View } from "./view.js";

const DOWNLOADS = ["npy", "safetensors", "csv", "json", "png", "svg"];

export class TableView extends View {
  constructor(name, catalogue, go) {
    super(name, catalogue, go);
    this.fields = new Form((field, text, how) => this.edit(field, text, how));
    this.start = new Start(this);
    this.form.append(this.start.node, this.fields.node);
    this.shape = ""; // of the form: which rows it has been built for
  }

  arrive(target, values) {
    const { operation } = target;
    const encoding = target.encoding || this.catalogue.encoding(values.get("encoding"));
    const rows = rowsOf(operation, operationOf(encoding, operation.and_parameters_of));

    Object.assign(this, { target, encoding, rows, named: byDottedName(rows), values: canonical(values, rows) });
    const shape = [operation.path, encoding?.name, ...[...this.values.keys()].filter((name) => !this.named.has(name))].join();
    if (shape !== this.shape) this.fields.build(rows, takesTensors(operation));
    this.shape = shape;
    this.fields.show(this.values, (name) => APART.has(name) && this.named.has(name));
    this.fields.clearProblem();
    this.start.show();
    this.run((signal) => this.askResult(signal));
  }

  edit(name, text, how) {
    const values = new Map(this.values);

    if (text === "") values.delete(name);
    else values.set(name, text);
    this.values = values; // the next edit may come before the address has been followed
    this.go(this.target.operation.path, values, how === "type" ? name : null);
  }

  request(more) {
    return buildRequest(this.target.operation, this.named, this.values, more);
  }

  // All of the result but its values; then the chosen tensor's picture and first numbers.
  async askResult(signal) {
    const head = await askHead(this.request({ format: "safetensors" }), signal);
    const order = this.target.operation.tensors.map((row) => row.name);
    const names = Object.keys(head.tensors).sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const chosen = this.values.get("tensor") || names[0];

    head.tensors = Object.fromEntries(names.map((name) => [name, head.tensors[name]]));
    const [picture, rows] = names.length === 0 ? [{}, {}] : await Promise.all([
      unlessRefused(ask(this.request({ format: "png" }), signal).then((answer) => answer.blob())),
      unlessRefused(askRows(this.request({ format: "csv" }), signal))]);
    return () => this.render(head, chosen, picture, rows);
  }

  render(head, chosen, picture, rows) {
    const tensor = head.tensors[chosen];
    const meanings = new Map(this.target.operation.tensors.map((row) => [row.name, row.meaning]));
    const caption = tensor ? describeTensor(chosen, tensor) : "No tensor: nothing is added, nothing turned";

    URL.revokeObjectURL(this.picture);
    this.picture = picture.value && URL.createObjectURL(picture.value); // an <img> could not send the token
    this.show(caption,
      tensorBar(head.tensors, meanings, chosen, (name) => this.edit("tensor", name, "choose")),
      tensor && meanings.get(chosen) && element("p", { class: "meaning" }, sentence(meanings.get(chosen))),
      warningList(head.warnings),
      tensor && element("figure", { class: "picture" }, picture.value
        ? element("img", { src: this.picture, alt: `Picture of ${this.target.title}, ${caption}` })
        : help(picture.refusal)),
      this.along(tensor),
      rows.value && numberTable(rows.value, tensor),
      element("div", { class: "columns" }, valueList("Parameters as understood", head.parameters, this.values),
        valueList("Derived", head.derived)),
      this.encoding && section(`About ${this.encoding.name}`,
        element("p", {}, sentence(this.encoding.convention)), help(sentence(this.encoding.source))));
  }

  along(tensor) {
    const request = this.request();
    const isLink = request.body === undefined && !hasToken();
    const refused = tensor?.dtype === "BF16" ? /npy/ : tensor ? /^$/ : /npy|csv|png|svg/;

    return takeAlong(request, curlOf(request, hasToken()), DOWNLOADS.filter((format) => !refused.test(format)).map((format) =>
      [format, isLink && this.request({ format }).url, () => this.download(format)]));
  }

  // What a link cannot ask for: with a token, or by POST.
  async download(format) {
    const { asking } = this;

    try {
      const url = URL.createObjectURL(await (await ask(this.request({ format }))).blob());
      element("a", { href: url, download: `${this.target.title}.${format}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60000);
    } catch (error) {
      if (this.asking === asking) this.showProblem(error); // at the result that it was of
    }
  }

  showProblem(error) {
    const problem = problemOf(error);
    const name = problem.parameter;
    const content = () => problemContent(problem, {
      onFix: (field, value) => this.fix(field, value), onRename: (from, to) => this.rename(from, to) });
    const isAtField = name !== undefined && this.fields.showProblem(name, content());

    this.show("");
    byId("problem").replaceChildren(problemBox(problem, content(),
      isAtField ? [`Go to ${name}`, () => this.fields.focus(name)] : this.retry(problem)));
  }

  fix(name, value) {
    this.edit(name, value, "choose");
    this.fields.find(name)?.input.focus();
  }

  rename(from, to) {
    this.go(this.target.operation.path, new Map([...this.values].map(([name, value]) => [name === from ? to : name, value])));
  }
}

// A picture that is too large is a sentence in its place; other problems are everything's.
async function unlessRefused(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    const problem = problemOf(error);

    if (problem.parameter || ![413, 422].includes(problem.status)) throw error;
    return { refusal: problem.detail };
  }
}
