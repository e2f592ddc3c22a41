/** The drawing of a tree: one box per node with its symbol, its stack and its actions, in the manner of `treesmu trace`. */

import { shape } from "../core/dom.js";

const CHARACTER = 8.5; // the width of a character of a symbol
const STACK_WIDTH = 15;
const BAR_HEIGHT = 6;
const TALLEST_STACK = 56; // beyond, its rows become thinner
const GATE_COLOURS = 3;
const DEEPEST_TINT = 0.55; // so that a symbol can be read on the strongest colour
const MOST_STACKED_LEAVES = 32; // nodes of a tree whose leaves show their empty stacks
const PILL = 34; // the height of a leaf without a stack
const BADGE = 16; // the height of what says how many nodes are folded

/** Return the size of an item's box. */
export function sizeOf(item, trace, isFolded) {
  if (item.node === null) return { width: 40, height: 28 };
  if (isPill(item, trace)) return { width: Math.max(24, CHARACTER * item.symbol.length + 12), height: PILL };
  const stack = item.node.stack.length ? STACK_WIDTH + 5 : 0;
  const width = Math.max(item.height ? 30 : 24, CHARACTER * item.symbol.length + 12) + stack;
  return { width, height: upperHeight(trace) + barsHeight(item, trace) + (isFolded ? BADGE : 0) };
}

/** Return whether a leaf is drawn without its stack, which is empty, because the tree is large. */
const isPill = (item, trace) => item.height === 0 && trace.nodes.length > MOST_STACKED_LEAVES;
const rowHeight = (trace) => Math.min(11, TALLEST_STACK / Math.max(1, trace.nodes[0].stack.length));
const upperHeight = (trace) => Math.max(34, rowHeight(trace) * trace.nodes[0].stack.length + 10);
const barsHeight = (item, trace) => (BAR_HEIGHT + 2) * barsOf(item, trace).length + (barsOf(item, trace).length ? 2 : 0);

/** Return the bars of a node, each a list of colours and shares: the actions as one bar, or every other gate as one. */
function barsOf({ node }, trace) {
  if (node === null) return [];
  const known = (names) => names.filter((name) => name in node.means);
  if (trace.actions.length) {
    const actions = known(trace.actions);
    return actions.length ? [actions.map((name) => [name, node.means[name]])] : [];
  }
  return known(trace.other_gates.slice(0, GATE_COLOURS)).map((name, i) => [[`gate-${i}`, node.means[name]]]);
}

/** Return the group of an item, tinted by the chosen quantity, whose value it shows. */
export function drawItem(item, trace, size, corner, { quantity, scale, isFolded }) {
  const { node } = item;
  const isStackDrawn = node?.stack.length && !isPill(item, trace);
  const stackRoom = isStackDrawn ? STACK_WIDTH + 5 : 0;
  const middle = (size.width - stackRoom) / 2;
  const value = node && quantity ? quantity.value(node) : null;
  const parts = [shape("rect", { class: "box", width: size.width, height: size.height, rx: 6 })];
  if (value !== null && scale !== null) {
    const opacity = (DEEPEST_TINT * scale.share(value)).toFixed(3);
    parts.push(
      shape("rect", { class: `tint ${quantity.hue}`, width: size.width, height: size.height, rx: 6, "fill-opacity": opacity }),
    );
  }
  parts.push(shape("rect", { class: "frame", width: size.width, height: size.height, rx: 6 }));
  parts.push(shape("text", { class: "symbol ink", x: middle, y: node ? 17 : 19, "text-anchor": "middle" }, item.symbol));
  if (node) {
    if (value !== null)
      parts.push(shape("text", { class: "small ink value", x: middle, y: 30, "text-anchor": "middle" }, quantity.text(value)));
    if (isStackDrawn) parts.push(stackOf(item, trace, size.width - STACK_WIDTH - 4));
    parts.push(...drawnBars(item, trace, size));
  }
  if (isFolded) parts.push(badge(item, size));
  return shape(
    "g",
    { class: node ? "node" : "node equality", transform: `translate(${corner.x.toFixed(1)} ${corner.y.toFixed(1)})` },
    ...parts,
  );
}

function stackOf({ node }, trace, x) {
  const height = rowHeight(trace);
  const largest = trace.largest_row || 1;
  const cells = node.row_norms.flatMap((norm, i) => {
    const place = { x, y: 5 + i * height, width: STACK_WIDTH, height };
    return [
      shape("rect", { class: "cell", ...place }),
      shape("rect", { class: "row", ...place, "fill-opacity": (norm / largest).toFixed(3) }),
      shape("rect", { class: "cell-frame", ...place }),
    ];
  });
  return shape("g", { class: "stack" }, ...cells);
}

function drawnBars(item, trace, size) {
  const room = size.width - 10;
  return barsOf(item, trace).map((bar, i) => {
    const y = upperHeight(trace) + i * (BAR_HEIGHT + 2);
    let start = 5;
    const parts = bar.map(([colour, share]) => {
      const part = shape("rect", {
        class: colour,
        x: start.toFixed(2),
        y,
        width: (room * share).toFixed(2),
        height: BAR_HEIGHT,
      });
      start += room * share;
      return part;
    });
    const place = { x: 5, y, width: room, height: BAR_HEIGHT };
    return shape(
      "g",
      { class: "bar" },
      shape("rect", { class: "cell", ...place }),
      ...parts,
      shape("rect", { class: "cell-frame", ...place }),
    );
  });
}

function badge(item, size) {
  const text = `+${item.size - 1}`;
  return shape("text", { class: "small ink badge", x: size.width / 2, y: size.height - 5, "text-anchor": "middle" }, text);
}

/** Return the lines from an item to its children, as thick as their forget gates are open. */
export function drawEdges(item, place, places, layout, sizes) {
  const forget = item.node?.forget ?? [];
  return item.children.flatMap((child, k) => {
    const shown = places.get(child);
    if (shown === undefined) return [];
    const width = k < forget.length ? 0.75 + 6 * forget[k] : 1.5;
    const d = curve(layout.corners[place], sizes[place], layout.corners[shown], sizes[shown], layout.isDownwards);
    return [shape("path", { class: "line", d, "stroke-width": width.toFixed(2) })];
  });
}

function curve(from, size, to, below, isDownwards) {
  const f = (value) => value.toFixed(1);
  if (isDownwards) {
    const [x0, y0, x1, y1] = [from.x + size.width / 2, from.y + size.height, to.x + below.width / 2, to.y];
    const y = f((y0 + y1) / 2);
    return `M${f(x0)} ${f(y0)}C${f(x0)} ${y} ${f(x1)} ${y} ${f(x1)} ${f(y1)}`;
  }
  const [x0, y0, x1, y1] = [from.x + size.width, from.y + size.height / 2, to.x, to.y + below.height / 2];
  const x = f((x0 + x1) / 2);
  return `M${f(x0)} ${f(y0)}C${x} ${f(y0)} ${x} ${f(y1)} ${f(x1)} ${f(y1)}`;
}
