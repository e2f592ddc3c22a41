/** Both sides of an equation over its variable: where two curves part, the equation is false. */

import { element, shape } from "../core/dom.js";
import { exact, ticks } from "../core/numbers.js";

const HEIGHT = 215;
const ROOM = { left: 46, right: 12, top: 10, bottom: 34 };

/** Return the drawing, as wide as it is told. point: the counterexample, [x, left, right], or null. */
export function drawCurves(curve, point, width) {
  const x = scale(curve.x[0], curve.x.at(-1), ROOM.left, width - ROOM.right);
  const y = scale(curve.low, curve.high, HEIGHT - ROOM.bottom, ROOM.top);
  const clip = { x: ROOM.left, y: ROOM.top, width: width - ROOM.left - ROOM.right, height: HEIGHT - ROOM.top - ROOM.bottom };
  const words = `The two sides over ${curve.variable}, from ${exact(curve.x[0])} to ${exact(curve.x.at(-1))}${point ? `; they differ at ${curve.variable} = ${exact(point[0])}` : ""}`;
  return shape(
    "svg",
    { class: "curves", role: "img", "aria-label": words, width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` },
    shape("clipPath", { id: "curve-room" }, shape("rect", clip)),
    ...axes(curve, x, y, width),
    shape("path", { class: "gap-area", d: between(curve, x, y), "clip-path": "url(#curve-room)" }),
    shape("path", { class: "curve left-side", d: line(curve.x, curve.left, x, y, curve), "clip-path": "url(#curve-room)" }),
    shape("path", { class: "curve right-side", d: line(curve.x, curve.right, x, y, curve), "clip-path": "url(#curve-room)" }),
    ...(point ? counterexample(point, x, y, curve) : []),
  );
}

function scale(from, to, low, high) {
  return (value) => low + ((value - from) / (to - from || 1)) * (high - low);
}

function axes(curve, x, y, width) {
  const bottom = HEIGHT - ROOM.bottom;
  const across = ticks(curve.x[0], curve.x.at(-1), Math.max(3, Math.floor(width / 90)));
  const up = ticks(curve.low, curve.high, 4);
  return [
    ...up.flatMap((value) => [
      shape("path", { class: value === 0 ? "axis zero" : "axis", d: `M${ROOM.left} ${y(value)}H${width - ROOM.right}` }),
      shape("text", { class: "tick", x: ROOM.left - 6, y: y(value) + 4, "text-anchor": "end" }, exact(value)),
    ]),
    ...across.flatMap((value) => [
      shape("path", { class: value === 0 ? "axis zero" : "axis", d: `M${x(value)} ${ROOM.top}V${bottom}` }),
      shape("text", { class: "tick", x: x(value), y: bottom + 15, "text-anchor": "middle" }, exact(value)),
    ]),
    shape("text", { class: "tick variable", x: width - ROOM.right, y: HEIGHT - 4, "text-anchor": "end" }, curve.variable),
  ];
}

/** Return a path that breaks where a side is undefined; values far outside are cut, so that no number is too large to draw. */
function line(xs, values, x, y, { low, high }) {
  const far = 2 * (high - low);
  let isOpen = false;
  return xs
    .map((at, i) => {
      const value = values[i];
      const command =
        value === null
          ? ""
          : `${isOpen ? "L" : "M"}${x(at).toFixed(1)} ${y(Math.min(high + far, Math.max(low - far, value))).toFixed(1)}`;
      isOpen = value !== null;
      return command;
    })
    .join("");
}

/** Return the area between the curves where both are defined. */
function between({ x: xs, left, right, low, high }, x, y) {
  const inside = (value) => y(Math.min(high, Math.max(low, value))).toFixed(1);
  const isDefined = (i) => left[i] !== null && right[i] !== null;
  let d = "";
  for (let i = 0; i + 1 < xs.length; i += 1) {
    if (!isDefined(i) || !isDefined(i + 1)) continue;
    const [a, b] = [x(xs[i]).toFixed(1), x(xs[i + 1]).toFixed(1)];
    d += `M${a} ${inside(left[i])}L${b} ${inside(left[i + 1])}L${b} ${inside(right[i + 1])}L${a} ${inside(right[i])}Z`;
  }
  return d;
}

function counterexample([at, left, right], x, y, { low, high }) {
  const inside = (value) => y(Math.min(high, Math.max(low, value)));
  const dots = [left, right].filter((value) => typeof value === "number");
  return [
    shape("path", { class: "difference", d: `M${x(at)} ${ROOM.top}V${HEIGHT - ROOM.bottom}` }),
    ...dots.map((value, i) =>
      shape("circle", { class: i ? "dot right-dot" : "dot left-dot", cx: x(at), cy: inside(value), r: 5 }),
    ),
  ];
}

/** Return the legend of the plot: which line is which side. */
export function curveLegend(hasPoint) {
  const sample = (name) =>
    shape(
      "svg",
      { class: "sign", width: 30, height: 12, "aria-hidden": "true" },
      shape("path", { class: `curve ${name}`, d: "M1 6H29" }),
    );
  const entries = [element("li", {}, sample("left-side"), "left side"), element("li", {}, sample("right-side"), "right side")];
  if (hasPoint)
    entries.push(
      element(
        "li",
        {},
        shape(
          "svg",
          { class: "sign", width: 12, height: 12, "aria-hidden": "true" },
          shape("circle", { class: "dot left-dot", cx: 6, cy: 6, r: 4 }),
        ),
        "counterexample",
      ),
    );
  return element("ul", { class: "legend" }, ...entries);
}
