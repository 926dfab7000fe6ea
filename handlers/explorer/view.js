// A view: a form beside a result, of which one at a time is asked for.
import { byId, element, replace } from "./dom.js";
import { isPassing } from "./problem.js";

export class View {
  constructor(name, catalogue, go) {
    Object.assign(this, { name, catalogue, go, form: element("div") });
  }

  // Another request is on its way.
  pause() {
    byId("answer").setAttribute("aria-busy", "true");
    this.asking?.abort();
    this.asking = null;
  }

  // Asks by a function of a signal, which gives one that shows the answer; what was stopped, be it
  // after the last byte, shows nothing.
  async run(job) {
    this.pause();
    const { signal } = this.asking = new AbortController();
    const done = () => signal.aborted || byId("answer").removeAttribute("aria-busy");

    this.again = () => this.run(job);
    try {
      const show = await job(signal);
      if (!done()) show();
    } catch (error) {
      if (!done()) this.showProblem(error);
    }
  }

  // A button for the box of a problem that may be over by now.
  retry(problem) {
    return isPassing(problem) ? ["Try again", this.again] : null;
  }

  show(status, ...content) {
    byId("status").textContent = status;
    replace(byId("problem"));
    replace(byId("result"), ...content);
  }
}
