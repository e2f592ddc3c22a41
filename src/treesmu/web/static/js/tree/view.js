/** A drawn tree that can be read: coloured, folded, zoomed, stepped through, and walked by keyboard. */

import { element, shape } from "../core/dom.js";
import { drawEdges, drawItem, sizeOf } from "./boxes.js";
import { itemRoles, sentenceAbout } from "./describe.js";
import { foldsToFit, itemsOf, shownPlaces } from "./items.js";
import { place } from "./layout.js";
import { itemAfterKey } from "./navigate.js";
import { markStep, stepsOf } from "./steps.js";
import { createViewport } from "./viewport.js";

export const MOST_SHOWN = 60; // items of a tree that is not folded when it is opened
const MARGIN = 10;
const SMALLEST_SCALE = 0.72; // a tree that would be smaller grows to the right

/** Return a view. `onSelect` is called with the key of the item that the reader chose. */
export function createTreeView({ label, onSelect }) {
  const svg = shape("svg", { class: "tree", role: "tree", "aria-label": label });
  const frame = element("div", { class: "tree-frame" }, svg);
  const viewport = createViewport(frame, svg);
  const view = {
    trace: null,
    items: [],
    folded: new Set(),
    groups: new Map(),
    quantity: null,
    scale: null,
    selected: null,
    step: 0,
  };

  const draw = () => {
    const shown = shownPlaces(view.items, view.folded);
    view.shown = shown.map((at) => view.items[at]);
    const places = new Map(shown.map((at, i) => [at, i]));
    const isFolded = (item) => view.folded.has(item.key);
    const sizes = view.shown.map((item) => sizeOf(item, view.trace, isFolded(item)));
    const children = view.shown.map((item) => (isFolded(item) ? [] : item.children.map((at) => places.get(at))));
    view.layout = arranged(sizes, children, frame.clientWidth);
    const edges = view.shown.map((item, i) => (isFolded(item) ? [] : drawEdges(item, i, places, view.layout, sizes)));
    view.groups = new Map(view.shown.map((item, i) => [item.key, boxOf(item, sizes[i], view.layout.corners[i])]));
    const shift = `translate(${MARGIN} ${MARGIN})`;
    svg.replaceChildren(
      shape("g", { class: "edges", "aria-hidden": "true", transform: shift }, ...edges.flat()),
      shape("g", { role: "none", transform: shift }, ...view.groups.values()),
    );
    viewport.size(view.layout.width + 2 * MARGIN, view.layout.height + 2 * MARGIN);
    mark();
  };
  const boxOf = (item, size, corner) => {
    const isFolded = view.folded.has(item.key);
    const group = drawItem(item, view.trace, size, corner, { quantity: view.quantity, scale: view.scale, isFolded });
    const words = sentenceAbout(item, view.trace, view.quantity);
    const label = isFolded ? `${words}; ${item.size - 1} nodes below are folded` : words;
    for (const [name, value] of Object.entries(itemRoles(item, view.items, label, isFolded))) group.setAttribute(name, value);
    group.append(shape("title", {}, label.replaceAll("; ", "\n")));
    return group;
  };
  const mark = () => {
    const inFocusOrder = view.groups.has(view.selected) ? view.selected : view.shown[0].key;
    for (const [key, group] of view.groups) {
      group.setAttribute("aria-selected", String(key === view.selected));
      group.setAttribute("tabindex", key === inFocusOrder ? 0 : -1);
    }
    markStep(view.groups, view.items, view.steps, view.step);
  };
  const redraw = () => {
    const hadFocus = svg.contains(document.activeElement);
    draw();
    if (hadFocus) focus(view.selected);
  };
  const focus = (key) => view.groups.get(key)?.focus();
  const toggleFold = (key) => {
    if (!view.items.find((item) => item.key === key)?.children.length) return;
    if (!view.folded.delete(key)) view.folded.add(key);
    redraw();
  };

  svg.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined) return;
    if (event.target.classList.contains("badge")) toggleFold(key);
    onSelect(key);
    focus(key);
  });
  svg.addEventListener("dblclick", (event) => toggleFold(event.target.closest("[data-key]")?.dataset.key));
  svg.addEventListener("keydown", (event) => {
    const key = event.target.closest("[data-key]")?.dataset.key;
    if (key === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const item = view.items.find((one) => one.key === key);
    const next = itemAfterKey(event.key, item, view.shown, view.items, view.layout.isDownwards);
    if (next === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) toggleFold(key);
    onSelect((next ?? item).key);
    focus((next ?? item).key);
  });

  return {
    element: frame,
    svg,
    /** Show another trace; large ones are folded. */
    show(trace, { quantity, scale, selected, step }) {
      const items = itemsOf(trace);
      const steps = stepsOf(items);
      const folded = items.length > MOST_SHOWN ? foldsToFit(items, MOST_SHOWN) : new Set();
      Object.assign(view, { trace, items, steps, folded, quantity, scale, selected, step: step ?? steps.last });
      draw();
      viewport.fit(SMALLEST_SCALE);
      viewport.reveal(view.groups.get(view.items[0].key));
    },
    colour(quantity, scale) {
      Object.assign(view, { quantity, scale });
      redraw();
    },
    select(key) {
      view.selected = key;
      unfoldAbove(view, key);
      if (key !== null && !view.groups.has(key)) redraw();
      else mark();
      if (view.groups.has(key)) viewport.reveal(view.groups.get(key));
    },
    step(step) {
      view.step = step ?? view.steps.last;
      markStep(view.groups, view.items, view.steps, view.step);
    },
    unfoldAll() {
      view.folded = new Set();
      redraw();
      viewport.fit(SMALLEST_SCALE);
    },
    fit() {
      draw();
      viewport.fit(0.1);
    },
    zoomIn: viewport.zoomIn,
    zoomOut: viewport.zoomOut,
    current: () => view,
  };
}

/** Return a layout that grows downwards if it can be read so, otherwise to the right. */
function arranged(sizes, children, width) {
  const downwards = place(sizes, children, true);
  return downwards.width + 2 * MARGIN <= width / SMALLEST_SCALE ? downwards : place(sizes, children, false);
}

function unfoldAbove(view, key) {
  for (const folded of view.folded) {
    if (key?.startsWith(`${folded}.`)) view.folded.delete(folded);
  }
}
