/** Expressions of which only the text is known: shown as text at once, and as a formula when the service has read it. */

import { post } from "./api.js";
import { element } from "./dom.js";
import { formula } from "./mathml.js";

const MOST_KEPT = 500;
const known = new Map(); // the promise of an answer, by expression

/** Return an inline formula of an expression. */
export function formulaOf(expression) {
  const place = element("span", { class: "formula" }, element("code", {}, expression));
  read(expression).then(
    ({ mathml }) => place.replaceChildren(formula(mathml, expression)),
    () => {}, // the text stays
  );
  return place;
}

function read(expression) {
  if (!known.has(expression)) {
    if (known.size >= MOST_KEPT) known.clear();
    known.set(expression, post("read", { text: expression }));
  }
  return known.get(expression);
}
