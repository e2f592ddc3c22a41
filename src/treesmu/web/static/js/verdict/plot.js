/** The card with the curves of both sides. */

import { button, element, toggle } from "../core/dom.js";
import { fileName } from "../core/download.js";
import { pictureOf, saveSvg } from "../tree/picture.js";
import { curveLegend, drawCurves } from "./curves.js";

/** Fill the card from a verdict; it is hidden where there is nothing to draw. */
export function showCurves(card, verdict) {
  const curve = verdict?.curve ?? null; // there is one only if there is one variable
  toggle(card, curve !== null);
  if (curve === null) return;
  const { check, expression } = verdict;
  const point = pointOn(curve, check);
  const place = element("div", { class: "curve-place" });
  const head = element("div", { class: "card-head" }, element("h2", {}, `Both sides over ${curve.variable}`));
  card.replaceChildren(head, place, curveLegend(point !== null));
  const svg = drawCurves(curve, point, Math.max(260, place.clientWidth));
  place.append(svg);
  head.append(
    button(
      "SVG",
      () =>
        saveSvg(
          pictureOf(svg, { title: expression, facts: `both sides over ${curve.variable}` }),
          fileName(`${expression} curves`, "svg"),
        ),
      { class: "small", "aria-label": "Save the plot as SVG" },
    ),
  );
}

/** Return the counterexample as [x, left, right] if it lies on the plot. */
function pointOn(curve, check) {
  const at = check?.counterexample?.[curve.variable];
  if (typeof at !== "number" || !check.sides || at < curve.x[0] || at > curve.x.at(-1)) return null;
  return [at, ...check.sides];
}
