/** A probability as a bar. */

import { element } from "../core/dom.js";
import { percent } from "../core/numbers.js";

/** Return the bar of P(correct), with a mark at one half, from which the model says "correct". */
export function chanceBar(probability, label = "Probability that the equation is correct, by the model") {
  const fill = element("span", { class: "chance-fill" });
  fill.style.width = percent(probability, 2);
  const attributes = { class: "chance", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 1 };
  return element(
    "div",
    { ...attributes, "aria-valuenow": probability.toFixed(4), "aria-valuetext": percent(probability) },
    fill,
    element("span", { class: "chance-half" }),
  );
}

const MARKS = { correct: "✓", incorrect: "✗", undecided: "?" };

/** Return a word of judgement with its sign: ✓ correct, ✗ incorrect, ? undecided. */
export function judgement(word) {
  return element(
    "span",
    { class: `judgement ${word}` },
    element("span", { "aria-hidden": "true" }, MARKS[word] ?? "–"),
    ` ${word}`,
  );
}
