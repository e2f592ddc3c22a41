/** Why is it wrong? The smallest part whose exchange for an equal one changes the verdict. */

import { post } from "../core/api.js";
import { button, element, find } from "../core/dom.js";
import { formula } from "../core/mathml.js";
import { percent } from "../core/numbers.js";
import { keyOf } from "../tree/items.js";
import { chanceBar } from "./chance.js";

/** Ask the service about a verdict and show the answer; `select` marks a node of the tree, `open` shows another equation. */
export async function explain({ expression, model }, { select, open }) {
  const place = find("#why");
  const asked = find("#explain");
  asked.disabled = true;
  place.replaceChildren(element("p", { class: "loading" }, "Exchanging parts for equal ones …"));
  try {
    const answer = await post("explain", { text: expression, model });
    place.replaceChildren(element("p", {}, answer.sentence), ...(answer.found ? exchange(answer, select, open) : []));
  } catch (error) {
    place.replaceChildren(element("p", { class: "failure" }, error.message));
    asked.disabled = false;
  }
}

function exchange(answer, select, open) {
  const part = ({ mathml, expression }) => element("span", { class: "part" }, formula(mathml, expression));
  const arrow = element("span", { class: "arrow", role: "img", "aria-label": "is written as" }, "→");
  const bars = [
    ["as typed", answer.probability],
    ["exchanged", answer.new_probability],
  ].map(([name, share]) => [
    element("dt", {}, `${name} ${percent(share)}`),
    element("dd", {}, chanceBar(share, `P(correct), ${name}`)),
  ]);
  return [
    element("p", { class: "exchange" }, part(answer.before), arrow, part(answer.after)),
    element("dl", { class: "bars" }, ...bars),
    element(
      "p",
      { class: "buttons" },
      button("Show the part in the tree", () => select(keyOf(answer.path))),
      button("Open the exchanged equation", () => open(answer.equation.expression)),
    ),
  ];
}
