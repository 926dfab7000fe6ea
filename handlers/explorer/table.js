// The view of one operation, an encoding's or a quantity's: its result.
import { byId, element } from "./dom.js";
import { ask, askHead, askPicture, askRows, hasToken } from "./ask.js";
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

    Object.assign(this, { target, encoding, rows: rowsOf(operation, operationOf(encoding, operation.and_parameters_of)) });
    this.values = canonical(values, this.rows);
    const shape = [operation.path, encoding?.name, ...[...this.values.keys()].filter((name) => !this.rows.has(name))].join();
    if (shape !== this.shape) this.fields.build(this.rows, takesTensors(operation));
    this.shape = shape;
    this.fields.show(this.values, APART);
    this.fields.clearProblem();
    this.start.show();
    this.run((signal) => this.showResult(signal));
  }

  edit(name, text, how) {
    const values = new Map(this.values);

    if (text === "") values.delete(name);
    else values.set(name, text);
    this.values = values; // the next edit may come before the address has been followed
    this.go(this.target.operation.path, values, how === "type" ? name : null);
  }

  request(more = {}, values = this.values) {
    return buildRequest(this.target.operation, byDottedName(this.rows), values, more);
  }

  // All of the result but its values; then the chosen tensor's picture and first numbers.
  async showResult(signal) {
    const head = await askHead(this.request({ format: "safetensors" }), signal);
    const order = this.target.operation.tensors.map((row) => row.name);
    const names = Object.keys(head.tensors).sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const chosen = this.values.get("tensor") || names[0];

    head.tensors = Object.fromEntries(names.map((name) => [name, head.tensors[name]]));
    const [picture, rows] = names.length === 0 ? [{}, {}] : await Promise.all([
      unlessRefused(askPicture(this.request({ format: "png" }), signal)),
      unlessRefused(askRows(this.request({ format: "csv" }), signal))]);
    this.render(head, chosen, picture, rows);
  }

  render(head, chosen, picture, rows) {
    const tensor = head.tensors[chosen];
    const meanings = new Map(this.target.operation.tensors.map((row) => [row.name, row.meaning]));
    const caption = tensor ? describeTensor(chosen, tensor) : "No tensor: nothing is added, nothing turned";

    this.show(caption,
      Object.keys(head.tensors).length > 1
        ? tensorBar(head.tensors, meanings, chosen, (name) => this.edit("tensor", name, "choose")) : null,
      tensor && meanings.get(chosen) ? element("p", { class: "meaning" }, sentence(meanings.get(chosen))) : null,
      warningList(head.warnings),
      tensor ? element("figure", { class: "picture" }, picture.value
        ? element("img", { src: picture.value, alt: `Picture of ${this.target.title}, ${caption}`,
          onload: () => URL.revokeObjectURL(picture.value) })
        : element("p", { class: "help" }, picture.refusal)) : null,
      this.along(),
      rows.value ? numberTable(rows.value, tensor) : null,
      element("div", { class: "columns" }, valueList("Parameters as understood", head.parameters, this.values),
        valueList("Derived", head.derived)),
      this.encoding ? element("section", { class: "about" }, element("h3", {}, `About ${this.encoding.name}`),
        element("p", {}, sentence(this.encoding.convention)), element("p", { class: "help" }, sentence(this.encoding.source))) : null);
  }

  along() {
    const request = this.request();
    const method = request.body === undefined ? "GET" : "POST";

    return takeAlong(location.origin + request.url, method, curlOf(request, hasToken()), DOWNLOADS.map((format) => {
      const one = this.request({ format });
      const isLink = one.body === undefined && !hasToken();
      return [format, isLink ? one.url : null, () => this.download(one, format)];
    }));
  }

  // What a link cannot ask for: with a token, or by POST.
  async download(request, format) {
    try {
      const url = URL.createObjectURL(await (await ask(request)).blob());
      element("a", { href: url, download: `${this.target.title}.${format}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60000);
    } catch (error) {
      this.showProblem(error);
    }
  }

  showProblem(error) {
    const problem = problemOf(error);
    const name = problem.parameter;
    const content = () => problemContent(problem, {
      onFix: (field, value) => this.edit(field, value, "choose"), onRename: (from, to) => this.rename(from, to) });
    const isAtField = name !== undefined && this.fields.showProblem(name, content());

    this.show("");
    byId("problem").replaceChildren(problemBox(problem, content(),
      isAtField ? [`Go to ${name}`, () => this.fields.focus(name)] : null));
  }

  rename(from, to) {
    this.go(this.target.operation.path, new Map([...this.values].map(([name, value]) => [name === from ? to : name, value])));
  }
}

// A picture that is refused, too large perhaps, is a sentence in its place; but a wrong parameter
// is everything's problem.
async function unlessRefused(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    if (!error.document || error.document.parameter) throw error;
    return { refusal: problemOf(error).detail };
  }
}
