// The explorer. The page's hash is the request that it shows: "#/v1/rope?length=64&dim=64"; all that
// it knows of encodings comes from /v1/encodings.
import { byId, element } from "./dom.js";
import { askJson, hasToken, setToken } from "./ask.js";
import { hashOf, readHash } from "./request.js";
import { Catalogue } from "./catalogue.js";
import { TableView } from "./table.js";
import { ConfigView } from "./config.js";
import { isPassing, problemBox, problemOf } from "./problem.js";

const TYPING_MS = 250;
const VIEWS = [["tables", "Encodings"], ["analysis", "Analysis"], ["config", "config.json"]];

class Explorer {
  constructor(catalogue) {
    this.catalogue = catalogue;
    this.edited = null; // the last edit's name: a series of edits of one field is one step back
    for (const [name, label] of VIEWS)
      byId("views").append(element("a", { href: catalogue.startOf(name), "data-view": name }, label));
    byId("main").hidden = false;
    addEventListener("hashchange", () => this.arrive());
  }

  arrive(hash = location.hash, edited = null) {
    const { path, values } = readHash(hash);
    const target = this.catalogue.find(path);

    clearTimeout(this.timer);
    this.edited = edited;
    if (!target) return location.replace(this.catalogue.startOf("tables"));
    for (const link of byId("views").children)
      if (link.dataset.view === target.view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    document.title = `${target.title} · posenc explorer`;
    if (this.view?.name !== target.view) this.open(target);
    byId("answer").dataset.of = location.hash; // once it is not busy
    this.view.arrive(target, values);
  }

  open(target) {
    const go = this.go.bind(this);

    this.view?.pause();
    this.view = target.view === "config" ? new ConfigView(this.catalogue, go) : new TableView(target.view, this.catalogue, go);
    this.view.show("");
    byId("ask").replaceChildren(this.view.form);
    scrollTo(0, 0);
  }

  // Leads to another request, when typing pauses. `edit` names the field that was typed in, whose
  // further edits then change the same step of the history; null makes a step of its own.
  go(path, values, edit = null) {
    this.view.pause();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.enter(hashOf(path, values), edit), edit === null ? 0 : TYPING_MS);
  }

  // What a browser refuses as an address, too long or one too many at a time, is shown all the same.
  enter(hash, edit) {
    try {
      if (hash !== location.hash) history[edit !== null && edit === this.edited ? "replaceState" : "pushState"](null, "", hash);
    } catch { /* the address stays */ }
    this.arrive(hash, edit);
  }
}

let explorer = null;

byId("token").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken(byId("token-text").value.trim());
  byId("token-text").value = "";
  byId("token").hidden = true;
  if (explorer) explorer.arrive();
  else start();
});

byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the request's
  byId("answer").focus();
});

async function start() {
  byId("problem").replaceChildren();
  try {
    const [catalogue, models] = await Promise.all([askJson("/v1/encodings"), askJson("/v1/models")]);
    explorer = new Explorer(new Catalogue(catalogue, models));
    explorer.arrive();
    askJson("/version").then((said) => {
      byId("version").textContent = `posenc ${said.version}, numeric version ${said.numeric_version}`;
    }, () => {}); // the rest goes without
  } catch (error) {
    const problem = problemOf(error);

    if (problem.status === 401 && !hasToken()) return;
    byId("main").hidden = false;
    byId("problem").replaceChildren(problemBox(problem, [problem.detail], isPassing(problem) && ["Try again", start]));
  }
}

start();
