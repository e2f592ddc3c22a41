/** Rows of numbers as a heat map: one line per row, one column per entry, green below zero and violet above. */

import { element } from "../core/dom.js";
import { exact, short } from "../core/numbers.js";

const TALLEST = 18; // pixels of a row; many rows are thinner
const ROOM = 120; // pixels for all rows of one map

/** Return the largest absolute value in lists of rows, which has the strongest colour. */
export function limitOf(...maps) {
  return Math.max(1e-6, ...maps.flat(2).map((value) => Math.abs(value ?? 0)));
}

/**
 * Return a heat map. names: of the rows, shown at the left; norms: shown at the right; `say` is called with the value under the
 * pointer. The values can be read without colours from the exported JSON, and their norms here.
 */
export function heatMap(rows, { limit, label, names = [], norms = [], say = () => {} }) {
  const height = Math.max(4, Math.min(TALLEST, ROOM / rows.length));
  const canvas = element("canvas", {
    class: "heat",
    width: rows[0].length,
    height: rows.length,
    role: "img",
    "aria-label": label,
  });
  canvas.style.height = `${height * rows.length}px`;
  paint(canvas, rows, limit);
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const row = Math.min(rows.length - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows.length)));
    const entry = Math.min(
      rows[0].length - 1,
      Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * rows[0].length)),
    );
    say(`${names[row] ? `${names[row]}, ` : ""}entry ${entry}: ${exact(rows[row][entry])}`);
  });
  const column = (texts, name) => {
    if (!texts.length) return null;
    const cells = texts.map((text) => {
      const cell = element("span", {}, text);
      cell.style.height = `${height}px`;
      return cell;
    });
    return element("span", { class: name }, ...(height < 9 ? [cells[0]] : cells)); // no room for a name at every row
  };
  return element("div", { class: "heat-map" }, column(names, "row-names"), canvas, column(norms.map(short), "row-norms"));
}

function paint(canvas, rows, limit) {
  const style = getComputedStyle(document.documentElement);
  const [below, zero, above] = ["--heat-below", "--heat-zero", "--heat-above"].map((name) => rgb(style.getPropertyValue(name)));
  const image = new ImageData(rows[0].length, rows.length);
  rows.flat().forEach((value, i) => {
    const share = Math.sqrt(Math.min(1, Math.abs(value ?? 0) / limit)); // the root shows small entries beside a large one
    const towards = (value ?? 0) < 0 ? below : above;
    const mixed = zero.map((from, k) => Math.round(from + (towards[k] - from) * share));
    image.data.set([...mixed, 255], 4 * i);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

function rgb(colour) {
  return colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
}

/** Return the scale of the heat maps of a panel, with a place that shows the value under the pointer. */
export function heatScale(limit) {
  const readout = element("output", { class: "readout", "aria-hidden": "true" });
  const strip = heatMap([Array.from({ length: 41 }, (_, i) => ((i - 20) / 20) * limit)], { limit, label: "colour scale" });
  const scale = element(
    "div",
    { class: "heat-scale" },
    element("span", {}, short(-limit)),
    strip,
    element("span", {}, short(limit)),
    readout,
  );
  return { scale, say: (text) => (readout.textContent = text) };
}
