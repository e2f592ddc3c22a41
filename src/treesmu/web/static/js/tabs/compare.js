/** The tab Compare: two models side by side on the same equation. */

import { analyse, currentReading } from "../core/analysis.js";
import { latest } from "../core/api.js";
import { element, emptyState, find, options, toggle } from "../core/dom.js";
import { percent } from "../core/numbers.js";
import { drawnLegend, legendEntries } from "../tree/legend.js";
import { quantitiesOf, scaleOf } from "../tree/quantities.js";
import { TreeView } from "../tree/view.js";
import { chanceBar, judgement } from "../verdict/chance.js";
import { commonQuantities, pairTable } from "./pairs.js";

const SIDES = ["first", "second"];
const EMPTY = {
  nothing: "Type an equation above, or choose an example.",
  blank: "The equation has a blank: fill it first.",
  node: "Choose a node in one of the trees to compare its numbers.",
};

export class CompareTab {
  #store;
  #run = latest();
  #asked = "";
  #results = null; // what was found out about each model

  constructor(store) {
    this.#store = store;
    const onSelect = (node) => store.set({ node });
    this.views = SIDES.map((side) => new TreeView({ label: `The tree, ${side} model`, onSelect }));
    SIDES.forEach((side, i) => find(`#${side}-tree`).replaceChildren(this.views[i].element));
    store.on(["models"], ({ models }) => this.#showModels(models));
    store.on(["tab", "reading", "model", "second", "models"], () => this.#show());
    store.on(["node"], () => this.#isDrawn && this.#showNode());
    store.on(["colour", "theme"], () => this.#isDrawn && this.#draw());
    const controls = { "first-model": "model", "second-model": "second", "compare-colour": "colour" };
    for (const [id, name] of Object.entries(controls)) {
      find(`#${id}`).addEventListener("change", (event) => store.set({ [name]: event.target.value }));
    }
  }

  get #isDrawn() {
    return this.#results !== null && this.#store.get("tab") === "compare"; // what is hidden has no width to be arranged in
  }

  #showModels(models) {
    const command = element("code", {}, "treesmu serve --models FOLDER");
    const alone = emptyState("There is only one model. Start the explorer with more of them: ", command, ".");
    find("#compare-alone").replaceChildren(...(models.length < 2 ? [alone] : []));
    toggle(find("#compare-tools"), models.length > 1);
    for (const side of SIDES) find(`#${side}-model`).replaceChildren(...options(models.map(({ name }) => [name, name])));
  }

  async #show() {
    const { tab, model, second, models, ...typed } = this.#store.all();
    const reading = currentReading(typed);
    if (reading === null && typed.reading !== null) return; // the text is being read
    const isReady = models.length > 1 && reading !== null && !reading.has_blank;
    toggle(find("#compare-place"), isReady);
    if (tab !== "compare" || models.length < 2) return;
    find("#compare-empty").replaceChildren(...(isReady ? [] : [emptyState(reading ? EMPTY.blank : EMPTY.nothing)]));
    find("#first-model").value = model;
    find("#second-model").value = second;
    if (isReady) await this.#ask(reading, [model, second]);
  }

  async #ask(reading, models) {
    const question = JSON.stringify([reading.expression, models]);
    if (question !== this.#asked) {
      this.#asked = question;
      this.#results = null;
      find("#compare-place").setAttribute("aria-busy", "true");
      const found = await this.#run((signal) => Promise.all(models.map((name) => analyse(reading, name, signal, 0))));
      if (found === undefined) return;
      this.#results = found;
      find("#compare-place").setAttribute("aria-busy", "false");
    }
    if (this.#isDrawn) this.#draw();
  }

  #draw() {
    const traces = this.#results.map(({ trace }) => trace);
    const known = commonQuantities(traces);
    const chosen = known.find(({ id }) => id === this.#store.get("colour")) ?? known[0];
    find("#compare-colour").replaceChildren(...options(known.map(({ id, name }) => [id, name])));
    if (chosen) find("#compare-colour").value = chosen.id;
    SIDES.forEach((side, i) => {
      showVerdict(find(`#${side}-verdict`), this.#results[i]);
      toggle(this.views[i].element, traces[i] !== null);
      if (traces[i] === null) return;
      const quantity = quantitiesOf(traces[i]).find(({ id }) => id === chosen.id);
      const scale = scaleOf(quantity, traces.filter(Boolean)); // the same for both
      this.views[i].show(traces[i], { quantity, scale, selected: this.#store.get("node") });
      find(`#${side}-legend`).replaceChildren(drawnLegend(legendEntries(traces[i], quantity, scale)));
    });
    this.#showNode();
  }

  #showNode() {
    const key = this.#store.get("node");
    const traces = this.#results.map(({ trace }) => trace);
    const items = this.views.map((view, i) => (traces[i] ? view.items.find((item) => item.key === key) : undefined));
    items.forEach((item, i) => item && this.views[i].select(key));
    const nodes = items.map((item) => item?.node ?? null);
    find("#compare-node").replaceChildren(nodes.some(Boolean) ? pairTable(nodes, traces) : emptyState(EMPTY.node));
  }
}

/** Fill the place of a verdict: of a model that may have none. */
function showVerdict(place, { verdict, verdictProblem, trace, traceProblem }) {
  const problems = [...new Set([verdictProblem, traceProblem])]
    .filter(Boolean)
    .map((text) => element("p", { class: "note" }, text));
  if (verdict === null || verdict.verdict === null) {
    place.replaceChildren(element("p", {}, verdict?.no_verdict ?? (trace ? "An expression has no verdict." : "")), ...problems);
    return;
  }
  const { agrees, check, model, probability } = verdict;
  const words = { true: "as the check says", false: `the check says ${check?.label}`, null: "the check is undecided" }[
    String(agrees)
  ];
  const line = element(
    "p",
    { class: "judged" },
    judgement(verdict.verdict),
    element("span", { class: "big" }, percent(probability)),
    element("span", { class: agrees === false ? "warning" : "faint" }, words),
  );
  place.replaceChildren(line, chanceBar(probability, `P(correct) by ${model}`), ...problems);
}
