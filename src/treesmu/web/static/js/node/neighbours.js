/** The expressions of a stored list whose states are nearest to a node's. */

import { latest, post } from "../core/api.js";
import { button, element } from "../core/dom.js";
import { namedFormula } from "../core/mathml.js";
import { short } from "../core/numbers.js";

const COUNT = 6;
const MARKS = { true: ["✓", "equal", "yes"], false: ["✗", "different", "no"], null: ["?", "undecided", ""] };
const run = latest();

/** Fill a section with the neighbours of the sub-expression of a trace at a path; `open` shows one. */
export async function showNeighbours(place, { expression, model }, path, open) {
  place.replaceChildren(element("h3", {}, "Most similar expressions"), element("p", { class: "loading" }, "Looking …"));
  try {
    const answer = await run((signal) => post("neighbours", { text: expression, path, model, count: COUNT }, signal));
    if (answer === undefined) return;
    const note = element("span", { class: "faint" }, `of ${answer.stored.toLocaleString("en")} stored; distance of states`);
    place.replaceChildren(
      element("h3", {}, element("span", {}, "Most similar expressions"), note),
      list(answer.neighbours, open),
    );
  } catch (error) {
    place.replaceChildren(element("h3", {}, "Most similar expressions"), element("p", { class: "failure" }, error.message));
  }
}

function list(neighbours, open) {
  const lines = neighbours.map(({ expression, mathml, distance, is_equal }) => {
    const [sign, word, name] = MARKS[String(is_equal)];
    const mark = element(
      "span",
      { class: `mark ${name}`, role: "img", "aria-label": word, title: `${word}, by the numeric check` },
      sign,
    );
    return element(
      "li",
      {},
      mark,
      button(namedFormula(mathml, expression), () => open(expression), { class: "link" }),
      element("span", { class: "number" }, short(distance)),
    );
  });
  return element("ol", { class: "neighbours" }, ...lines);
}
