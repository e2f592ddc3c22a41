/** Equations to click. */

import { button, element, find } from "../core/dom.js";

const EXAMPLES = [
  ["true", "sin(x)^2 + cos(x)^2 = 1"],
  ["true, in LaTeX", "\\tanh(x) = \\frac{e^{2x} - 1}{e^{2x} + 1}"],
  ["false", "e^x = 1 + x"],
  ["false, a usual slip", "sin(2x) = 2 sin(x)"],
  ["true for x ≥ 0 only", "sqrt(x^2) = x"],
  ["long", "(sin(x)^2 + cos(x)^2) (1 + tan(y)^2) + (x + y)^2 - 2 x y = (x^2 + y^2) (cosh(z)^2 - sinh(z)^2) + sec(y)^2"],
  ["with a blank", "sin(x)^2 + _ = 1"],
];

/** Fill the list of examples; `open` shows one. */
export function startExamples(open) {
  const items = EXAMPLES.map(([kind, text]) => {
    const shown = text.length > 24 ? `${text.slice(0, 23)}…` : text;
    return element(
      "li",
      {},
      button([element("span", { class: "kind" }, kind), element("code", {}, shown)], () => open(text), {
        class: "example",
        title: text,
      }),
    );
  });
  find("#examples").replaceChildren(...items);
}
