/** The legend of a drawn tree: pairs of a sign and its meaning, for the page and for exported drawings. */

import { element, shape } from "../core/dom.js";
import { short } from "../core/numbers.js";
import { ACTION_NAMES } from "./quantities.js";

const TINTS = 6; // patches of the colour scale
const DEEPEST_TINT = 0.55; // as in boxes.js

/** Return the entries, each with a sign (an SVG group 12 high), its width, and its meaning. */
export function legendEntries(trace, quantity, scale) {
  const entries = [];
  if (quantity && scale) entries.push(colourScale(quantity, scale));
  for (const action of trace.actions) entries.push(patch(action, ACTION_NAMES[action]));
  if (!trace.actions.length)
    entries.push(...trace.other_gates.slice(0, 3).map((name, i) => patch(`gate-${i}`, `gate ${name}`)));
  if (trace.largest_row) entries.push(rowShades(trace));
  if (trace.nodes.some((node) => node.forget.length)) entries.push(lineWidths(trace));
  return entries;
}

function colourScale(quantity, scale) {
  const name = quantity.about ?? quantity.name;
  const shares = scale.isFlat ? [0.5] : Array.from({ length: TINTS }, (_, i) => i / (TINTS - 1));
  const sign = shares.flatMap((share, i) => [
    shape("rect", { class: "box", x: 18 * i, y: 0, width: 18, height: 12 }),
    shape("rect", {
      class: `tint ${quantity.hue}`,
      x: 18 * i,
      y: 0,
      width: 18,
      height: 12,
      "fill-opacity": (DEEPEST_TINT * share).toFixed(3),
    }),
  ]);
  const width = 18 * shares.length;
  sign.push(shape("rect", { class: "cell-frame", x: 0, y: 0, width, height: 12 }));
  const range = scale.isFlat
    ? `${quantity.text(scale.low)} at every node`
    : `${quantity.text(scale.low)} to ${quantity.text(scale.high)}, middle ${quantity.text((scale.low + scale.high) / 2)}`;
  return { sign: shape("g", {}, ...sign), width, text: `${name}: ${range}`, isScale: true };
}

function patch(colour, text) {
  return { sign: shape("g", {}, shape("rect", { class: colour, x: 0, y: 2, width: 14, height: 8 })), width: 14, text };
}

function rowShades(trace) {
  const cells = [0, 0.5, 1].flatMap((opacity, i) => {
    const place = { x: 9 * i, y: 1, width: 9, height: 10 };
    return [shape("rect", { class: "cell", ...place }), shape("rect", { class: "row", ...place, "fill-opacity": opacity })];
  });
  cells.push(shape("rect", { class: "cell-frame", x: 0, y: 1, width: 27, height: 10 }));
  const rows = trace.nodes[0].stack.length > 1 ? " rows, top first" : "";
  return {
    sign: shape("g", {}, ...cells),
    width: 27,
    text: `${trace.memory_name}${rows}: norm 0 to ${short(trace.largest_row)}`,
  };
}

function lineWidths(trace) {
  const thin = shape("path", { class: "line", d: "M1 3L21 3", "stroke-width": 1 });
  const thick = shape("path", { class: "line", d: "M3 9L19 9", "stroke-width": 5 });
  return {
    sign: shape("g", {}, thin, thick),
    width: 22,
    text: `thicker line: more of the child's ${trace.memory_name} is kept`,
  };
}

/** Return the legend as a list of the page. */
export function drawnLegend(entries) {
  const items = entries.map(({ sign, width, text, isScale }) => {
    const svg = shape("svg", { class: "sign", width, height: 12, viewBox: `0 0 ${width} 12`, "aria-hidden": "true" }, sign);
    return element("li", { class: isScale ? "scale" : "" }, svg, text);
  });
  return element("ul", { class: "legend", "aria-label": "Legend" }, ...items);
}
