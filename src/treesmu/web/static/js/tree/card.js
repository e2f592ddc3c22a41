/** The card of the tree: the drawing with its colours, its legend, its steps, and the same as a table. */

import { button, emptyState, find, options, toggle } from "../core/dom.js";
import { itemsOf } from "./items.js";
import { drawnLegend, legendEntries } from "./legend.js";
import { startPlayer } from "./player.js";
import { quantitiesOf, scaleOf } from "./quantities.js";
import { sentenceOfStep, stepsOf } from "./steps.js";
import { nodeTable } from "./table.js";
import { startTools } from "./tools.js";
import { TreeView } from "./view.js";

const LARGE = 30; // nodes of a tree that gets the whole width
const WHY_NOT = {
  blank: "The equation has a blank: the tab Complete finds what fills it.",
  nothing: "Type an equation above, or choose an example.",
};

export class TreeCard {
  #store;
  #trace = null; // the one that is drawn

  /** The store's `node` is the key of the chosen node, `step` the step of the slider, `colour` the quantity. */
  constructor(store) {
    this.#store = store;
    this.select = (key) => store.set({ node: key });
    this.view = new TreeView({ label: "The tree of the equation", onSelect: this.select });
    find("#tree-place").replaceChildren(this.view.element);
    this.player = startPlayer(store);
    find("#colour").addEventListener("change", (event) => store.set({ colour: event.target.value }));
    startTools(store, this.view, () => this.colours());
  }

  /** Whether the tree of the store's trace is drawn, in a tab that can be seen. */
  get isDrawn() {
    return this.#trace !== null && this.#trace === this.#store.get("trace") && this.#store.get("tab") === "tree";
  }

  /** Return the chosen item, or, before one is chosen, the first that has something to show. */
  get item() {
    return this.#itemOf(this.view.items);
  }

  #itemOf(items) {
    const { node, step } = this.#store.all();
    const now = step === null ? null : stepsOf(items).itemAt(Number(step));
    return items.find(({ key }) => key === node) ?? now ?? items.find((item) => item.node && item.height) ?? items[0];
  }

  /** Return the quantities of the trace, the chosen one, and its scale. */
  colours() {
    const trace = this.#store.get("trace");
    const known = quantitiesOf(trace);
    const quantity = known.find(({ id }) => id === this.#store.get("colour")) ?? known[0];
    return { known, quantity, scale: scaleOf(quantity, [trace]) };
  }

  /** Draw the tree of the store's trace, or say why there is none. */
  show() {
    const { trace, traceProblem, step } = this.#store.all();
    this.#trace = trace;
    for (const part of document.querySelectorAll("#tree-card .needs-tree")) toggle(part, trace !== null);
    find("#tree-empty").replaceChildren(...(trace === null ? this.#whyNot(traceProblem) : []));
    if (trace === null) {
      this.view.clear();
      return;
    }
    const { known, quantity, scale } = this.colours();
    find("#panel-tree").classList.toggle("large", trace.nodes.length > LARGE); // before the room for the drawing is measured
    find("#colour").replaceChildren(...options(known.map(({ id, name }) => [id, name])));
    this.view.show(trace, {
      quantity,
      scale,
      selected: this.#itemOf(itemsOf(trace)).key,
      step: step === null ? null : Number(step),
    });
    this.player.show(this.view.steps.last);
    toggle(find("#unfold"), this.view.folded.size > 0);
    find("#trace-note").textContent = trace.note ?? "";
    find("#tree-table").replaceChildren(nodeTable(trace, this.select));
    this.#showLegend();
    this.showStep();
  }

  #whyNot(problem) {
    if (problem !== "blank") return [emptyState(problem ?? WHY_NOT.nothing)];
    const complete = button("Go to Complete", () => this.#store.set({ tab: "complete" }), { class: "primary" });
    return [emptyState(WHY_NOT.blank), complete];
  }

  recolour() {
    const { quantity, scale } = this.colours();
    this.view.colour(quantity, scale);
    this.#showLegend();
  }

  #showLegend() {
    const { quantity, scale } = this.colours();
    find("#colour").value = quantity.id;
    find("#tree-legend").replaceChildren(drawnLegend(legendEntries(this.#trace, quantity, scale)));
  }

  /** Show the step of the slider, and return the item that it computes; null for the leaves. */
  showStep() {
    const { steps } = this.view;
    const step = this.#store.get("step");
    const at = step === null ? steps.last : Math.min(Number(step), steps.last);
    this.view.step(at);
    const sentence = sentenceOfStep(at, steps, this.#trace);
    find("#step-sentence").textContent = sentence;
    find("#steps").setAttribute("aria-valuetext", `step ${at} of ${steps.last}: ${sentence}`);
    return steps.itemAt(at);
  }
}
