/** A stack of numbers to try: push, keep and pop in shares that the reader chooses. */

import { find, shape } from "../core/dom.js";
import { percent } from "../core/numbers.js";

const STACK = [0.75, 0.45, 0.2, 0]; // the top first
const NEW = 1;
const CELL = { width: 62, height: 22 };
const HEIGHT = 126;
const TOP = 34;
const COLUMNS = [
  { x: 6, title: "before", rows: () => STACK },
  { x: 116, title: "push", action: "push", rows: () => [NEW, ...STACK.slice(0, -1)] },
  { x: 206, title: "no-op", action: "no_op", rows: () => STACK },
  { x: 296, title: "pop", action: "pop", rows: () => [...STACK.slice(1), 0] },
];

/** Set up the sliders and draw the picture. */
export function startToy() {
  const [push, pop] = [find("#toy-push"), find("#toy-pop")];
  const show = (moved) => {
    const other = moved === push ? pop : push;
    other.value = Math.min(Number(other.value), 100 - Number(moved.value)); // shares add up to 1
    const shares = { push: push.value / 100, pop: pop.value / 100 };
    shares.no_op = Math.max(0, 1 - shares.push - shares.pop);
    for (const name of ["push", "no_op", "pop"]) find(`#toy-${name}-share`).textContent = percent(shares[name], 0);
    find("#toy-picture").replaceChildren(picture(shares));
  };
  for (const slider of [push, pop]) slider.addEventListener("input", () => show(slider));
  show(push);
}

/** Return the stack that is the mixture of the three. */
export function mixed(shares) {
  const of = Object.fromEntries(COLUMNS.filter(({ action }) => action).map(({ action, rows }) => [action, rows()]));
  return STACK.map((_, k) => shares.push * of.push[k] + shares.no_op * of.no_op[k] + shares.pop * of.pop[k]);
}

function picture(shares) {
  const result = mixed(shares);
  const words = `The stack ${numbers(STACK)}; after ${percent(shares.push, 0)} push, ${percent(shares.no_op, 0)} no-op and ${percent(shares.pop, 0)} pop it is ${numbers(result)}`;
  const parts = COLUMNS.map(({ x, title, action, rows }) => column(x, title, rows(), action, action ? shares[action] : null));
  const signs = [
    [92, "→"],
    [192, "+"],
    [282, "+"],
    [378, "="],
  ].map(([x, sign]) => shape("text", { class: "sum ink", x, y: TOP + 52, "text-anchor": "middle" }, sign));
  return shape(
    "svg",
    { class: "toy", role: "img", "aria-label": words, viewBox: `0 0 472 ${HEIGHT}` },
    ...parts,
    ...signs,
    column(398, "after", result, null, null),
  );
}

const numbers = (rows) => rows.map((value) => value.toFixed(2)).join(", ");

function column(x, title, rows, action, share) {
  const heading = shape("text", { class: "symbol ink", x: x + CELL.width / 2, y: 14, "text-anchor": "middle" }, title);
  const weight =
    share === null
      ? []
      : [
          shape("rect", { class: "cell", x, y: 20, width: CELL.width, height: 7 }),
          shape("rect", { class: action, x, y: 20, width: (CELL.width * share).toFixed(1), height: 7 }),
          shape("rect", { class: "cell-frame", x, y: 20, width: CELL.width, height: 7 }),
        ];
  const cells = rows.flatMap((value, i) => {
    const place = { x, y: TOP + i * CELL.height, width: CELL.width, height: CELL.height };
    return [
      shape("rect", { class: "cell", ...place }),
      shape("rect", { class: "row", ...place, "fill-opacity": (0.6 * value).toFixed(3) }),
      shape("rect", { class: "cell-frame", ...place }),
      shape(
        "text",
        {
          class: "cell-text",
          x: x + CELL.width / 2,
          y: place.y + 15,
          "text-anchor": "middle",
        },
        value.toFixed(2),
      ),
    ];
  });
  return shape("g", {}, heading, ...weight, ...cells);
}
