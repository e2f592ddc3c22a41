/** A drawn tree that can be read: coloured, folded, zoomed, stepped through, and walked by keyboard. */

import { element, shape } from "../core/dom.js";
import { drawEdges, drawItem, sizeOf } from "./boxes.js";
import { itemRoles, sentenceAbout } from "./describe.js";
import { foldsToFit, itemsOf, shownPlaces } from "./items.js";
import { place } from "./layout.js";
import { itemAfterKey } from "./navigate.js";
import { markStep, stepsOf } from "./steps.js";
import { Viewport } from "./viewport.js";

const MOST_SHOWN = 60; // items of a tree that is not folded when it is opened
const MARGIN = 10;
const SMALLEST_SCALE = 0.72; // a tree that would be smaller grows to the right

export class TreeView {
  folded = new Set(); // keys of items whose sub-trees are not shown
  items = [];
  #groups = new Map(); // the drawn items, by key
  #quantity = null;
  #scale = null;
  #selected = null;
  #step = 0;

  /** onSelect is called with the key of the item that the reader chose. */
  constructor({ label, onSelect }) {
    this.svg = shape("svg", { class: "tree", role: "tree", "aria-label": label });
    this.element = element("div", { class: "tree-frame" }, this.svg);
    this.viewport = new Viewport(this.element, this.svg);
    this.onSelect = onSelect;
    this.svg.addEventListener("click", (event) => this.#clicked(event));
    this.svg.addEventListener("dblclick", (event) => this.#toggleFold(keyAt(event)));
    this.svg.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Show another trace; a large one is folded. step: null if everything is computed. */
  show(trace, { quantity, scale, selected, step = null }) {
    this.trace = trace;
    this.items = itemsOf(trace);
    this.steps = stepsOf(this.items);
    this.folded = this.items.length > MOST_SHOWN ? foldsToFit(this.items, MOST_SHOWN) : new Set();
    this.#quantity = quantity;
    this.#scale = scale;
    this.#selected = selected;
    this.#step = step ?? this.steps.last;
    this.arrange();
  }

  clear() {
    this.svg.replaceChildren();
  }

  /** Arrange the tree in its frame, whose width may have changed. */
  arrange() {
    this.#draw();
    this.viewport.fit(SMALLEST_SCALE);
    this.viewport.reveal(this.#groups.get(this.items[0].key));
  }

  /** Show all of it, however small. */
  fit() {
    this.#draw();
    this.viewport.fit(0.1);
  }

  colour(quantity, scale) {
    this.#quantity = quantity;
    this.#scale = scale;
    this.#redraw();
  }

  select(key) {
    this.#selected = key;
    for (const folded of this.folded) {
      if (key.startsWith(`${folded}.`)) this.folded.delete(folded);
    }
    if (this.#groups.has(key)) this.#mark();
    else this.#redraw();
    if (this.#groups.has(key)) this.viewport.reveal(this.#groups.get(key));
  }

  step(step) {
    this.#step = step;
    markStep(this.#groups, this.items, this.steps, step);
  }

  unfoldAll() {
    this.folded = new Set();
    this.arrange();
  }

  #draw() {
    const places = shownPlaces(this.items, this.folded);
    this.shown = places.map((at) => this.items[at]);
    const numbers = new Map(places.map((at, i) => [at, i]));
    const sizes = this.shown.map((item) => sizeOf(item, this.trace, this.#isFolded(item)));
    const children = this.shown.map((item) => (this.#isFolded(item) ? [] : item.children.map((at) => numbers.get(at))));
    this.layout = arranged(sizes, children, this.element.clientWidth);
    const edges = this.shown.flatMap((item, i) =>
      this.#isFolded(item) ? [] : drawEdges(item, i, numbers, this.layout, sizes),
    );
    this.#groups = new Map(this.shown.map((item, i) => [item.key, this.#box(item, sizes[i], this.layout.corners[i])]));
    const shift = `translate(${MARGIN} ${MARGIN})`;
    this.svg.replaceChildren(
      shape("g", { class: "edges", "aria-hidden": "true", transform: shift }, ...edges),
      shape("g", { role: "none", transform: shift }, ...this.#groups.values()),
    );
    this.viewport.resize(this.layout.width + 2 * MARGIN, this.layout.height + 2 * MARGIN);
    this.#mark();
  }

  #isFolded(item) {
    return this.folded.has(item.key);
  }

  #box(item, size, corner) {
    const isFolded = this.#isFolded(item);
    const group = drawItem(item, this.trace, size, corner, { quantity: this.#quantity, scale: this.#scale, isFolded });
    const seen = [...group.querySelectorAll("text")];
    for (const text of seen) text.after(" "); // a screen reader's "sin 33%" instead of "sin33%"
    const below = isFolded ? `; ${item.size - 1} nodes below are folded` : "";
    const words = `${sentenceAbout(item, this.trace, this.#quantity)}${below}`;
    const label = `${seen.map((text) => text.textContent).join(" ")}: ${words}`; // what is seen is said first
    for (const [name, value] of Object.entries(itemRoles(item, this.items, label, isFolded))) group.setAttribute(name, value);
    group.append(shape("title", {}, words.replaceAll("; ", "\n")));
    return group;
  }

  #mark() {
    const inFocusOrder = this.#groups.has(this.#selected) ? this.#selected : this.shown[0].key;
    for (const [key, group] of this.#groups) {
      group.setAttribute("aria-selected", String(key === this.#selected));
      group.setAttribute("tabindex", key === inFocusOrder ? 0 : -1);
    }
    markStep(this.#groups, this.items, this.steps, this.#step);
  }

  #redraw() {
    const hadFocus = this.svg.contains(document.activeElement);
    this.#draw();
    if (hadFocus) this.#focus(this.#selected);
  }

  #focus(key) {
    this.#groups.get(key)?.focus({ preventScroll: true });
  }

  #toggleFold(key) {
    if (!this.items.find((item) => item.key === key)?.children.length) return;
    if (!this.folded.delete(key)) this.folded.add(key);
    this.#redraw();
  }

  #choose(key) {
    this.onSelect(key);
    this.#focus(key);
  }

  #clicked(event) {
    const key = keyAt(event);
    if (key === undefined) return;
    if (event.target.classList.contains("badge")) this.#toggleFold(key);
    this.#choose(key);
  }

  #pressed(event) {
    const item = this.items.find((one) => one.key === keyAt(event));
    if (item === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = itemAfterKey(event.key, item, this.shown, this.items, this.layout.isDownwards);
    if (next === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys of the page move the slider
    if (next === null) this.#toggleFold(item.key);
    this.#choose((next ?? item).key);
  }
}

const keyAt = (event) => event.target.closest("[data-key]")?.dataset.key;

/** Return a layout that grows downwards if it can be read so, otherwise to the right. */
function arranged(sizes, children, width) {
  const downwards = place(sizes, children, true);
  return downwards.width + 2 * MARGIN <= width / SMALLEST_SCALE ? downwards : place(sizes, children, false);
}
