/** A scatter plot of expressions: a colour and a shape for each of the largest classes, grey for the others. */

import { element, shape } from "../core/dom.js";
import { Viewport } from "../tree/viewport.js";

export const COLOURED = 8; // classes with a colour and a shape of their own
const SIZE = { width: 900, height: 620 };
const MARGIN = 34;
const SHAPES = [
  "M0-4.5A4.5 4.5 0 1 0 0 4.5A4.5 4.5 0 1 0 0-4.5Z",
  "M-4-4H4V4H-4Z",
  "M0-5.2L5 4H-5Z",
  "M0-5.5L5.5 0L0 5.5L-5.5 0Z",
  "M0 5.2L5-4H-5Z",
  "M-1.8-5H1.8V-1.8H5V1.8H1.8V5H-1.8V1.8H-5V-1.8H-1.8Z",
  "M-5-3L0-5.5L5-3L3 4.5H-3Z",
  "M0-5.5L1.6-1.6L5.5 0L1.6 1.6L0 5.5L-1.6 1.6L-5.5 0L-1.6-1.6Z",
  "M0-2.6A2.6 2.6 0 1 0 0 2.6A2.6 2.6 0 1 0 0-2.6Z",
];

/** Return the sign of a class, for a legend. */
export function signOf(number) {
  return shape("svg", { class: "sign", width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, sign(number));
}

function sign(number, attributes = {}) {
  const kind = Math.min(number ?? COLOURED, COLOURED);
  return shape("path", { class: `point class-${kind}`, d: SHAPES[kind], ...attributes });
}

/** Return a scatter plot in a place of the page; `open` is called with the expression of a point that was clicked. */
export function createScatter(place, open) {
  const svg = shape("svg", {
    class: "scatter",
    role: "img",
    "aria-label": "The map of expressions; the same as a table is below",
  });
  const frame = element(
    "div",
    { class: "map-frame", tabindex: 0, role: "group", "aria-label": "Map, scrolls when enlarged" },
    svg,
  );
  const tip = element("div", { class: "tip", hidden: true });
  place.replaceChildren(frame, tip);
  const viewport = new Viewport(frame, svg);
  const own = shape("g", { class: "own" });
  let scale = null;

  svg.addEventListener("pointerover", (event) => {
    const { expression, value } = event.target.dataset;
    tip.hidden = expression === undefined;
    for (const point of svg.querySelectorAll("[data-value]")) point.classList.toggle("same", point.dataset.value === value);
    if (expression === undefined) return;
    tip.replaceChildren(element("code", {}, expression), value ? ` has the value of ${value}` : " has no equal on this map");
    const [box, dot] = [place.getBoundingClientRect(), event.target.getBoundingClientRect()];
    tip.style.left = `${Math.min(box.width - tip.offsetWidth - 8, Math.max(8, dot.left - box.left + 14))}px`;
    tip.style.top = `${dot.top - box.top + 18}px`;
  });
  svg.addEventListener("pointerleave", () => (tip.hidden = true));
  svg.addEventListener("click", ({ target }) => target.dataset.expression && open(target.dataset.expression));

  return {
    svg,
    show({ points, classes }) {
      scale = scaleTo(points);
      const rank = (point) => point.class ?? classes.length;
      const drawn = points.toSorted((a, b) => rank(b) - rank(a)); // the largest classes on top
      const signs = drawn.map((point) =>
        sign(point.class, {
          transform: scale(point),
          "data-expression": point.expression,
          "data-value": classes[point.class]?.name,
        }),
      );
      svg.replaceChildren(shape("g", { class: "points" }, ...signs), own);
      viewport.resize(SIZE.width, SIZE.height);
      viewport.fit(0.36, 1.4);
    },
    highlight(number) {
      for (const point of svg.querySelectorAll(".points .point"))
        point.classList.toggle("dimmed", number !== null && !point.classList.contains(`class-${number}`));
    },
    /** Put the reader's expressions on the map. */
    mark(places) {
      own.replaceChildren(...places.map((one, i) => label(one, i, places, scale)));
    },
    fit: () => viewport.fit(0.36, 1.4),
    zoomIn: () => viewport.zoomIn(),
    zoomOut: () => viewport.zoomOut(),
  };
}

/** Return a function from a point of the map to its place in the drawing. */
function scaleTo(points) {
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const [[left, right], [low, high]] = [range(points.map(({ x }) => x)), range(points.map(({ y }) => y))];
  const place = (value, from, to, size) => MARGIN + ((value - from) / (to - from || 1)) * (size - 2 * MARGIN);
  return ({ x, y }) => {
    const inside = (value, size) => Math.min(size - 12, Math.max(12, value));
    return `translate(${inside(place(x, left, right, SIZE.width), SIZE.width).toFixed(1)} ${inside(place(y, high, low, SIZE.height), SIZE.height).toFixed(1)})`;
  };
}

const numbersIn = (translation) => translation.match(/[\d.]+/g).map(Number);

function label({ expression, x, y }, i, places, scale) {
  const text = expression.length > 28 ? `${expression.slice(0, 27)}…` : expression;
  const at = scale({ x, y });
  const [across, down] = numbersIn(at);
  const others = places.filter((_, k) => k !== i).map((other) => numbersIn(scale(other)));
  const isCrowded = others.some(([x1, y1]) => Math.abs(x1 - across) < 260 && Math.abs(y1 - down) < 40 && x1 > across);
  const isRight = across > SIZE.width * 0.7 || (isCrowded && across > SIZE.width * 0.3); // the label stands at the left
  const side = places.length > 1 ? ["left: ", "right: "][i] : "";
  const words = { class: "own-label", x: isRight ? -14 : 14, y: i ? 20 : -10, "text-anchor": isRight ? "end" : "start" };
  return shape(
    "g",
    { transform: at },
    shape("circle", { class: "own-ring", r: 10 }),
    shape("circle", { class: "own-dot", r: 3.5 }),
    shape("text", words, `${side}${text}`),
  );
}
