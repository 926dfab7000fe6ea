// What the views have in common: a form beside a result, of which one at a time is asked for.
import { byId, element } from "./dom.js";

export class View {
  // go(path, values, edit) leads to another request
  constructor(name, catalogue, go) {
    Object.assign(this, { name, catalogue, go, form: element("div"), asking: null });
  }

  // Stops what is being asked: another request is on its way.
  pause() {
    byId("answer").setAttribute("aria-busy", "true");
    this.asking?.abort();
    this.asking = null;
  }

  // Asks by a function of a signal; what goes wrong is shown, unless it was stopped.
  async run(job) {
    this.pause();
    const asking = this.asking = new AbortController();

    try {
      await job(asking.signal);
    } catch (error) {
      if (!asking.signal.aborted) this.showProblem(error);
    }
    if (!asking.signal.aborted) byId("answer").removeAttribute("aria-busy");
  }

  show(status, ...content) {
    byId("problem").replaceChildren();
    byId("status").textContent = status;
    byId("result").replaceChildren(...content.filter(Boolean));
  }
}
