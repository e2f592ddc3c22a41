/** MathML from the service, as elements of the page. */

import { element } from "./dom.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** Return the formula as elements, inline by default; as plain text if it cannot be read. */
export function formula(mathml, text, display = "inline") {
  if (!mathml) return element("code", {}, text);
  const parsed = new DOMParser().parseFromString(mathml, "application/xml").documentElement;
  if (parsed.namespaceURI !== MATHML) return element("code", {}, text);
  const math = document.importNode(parsed, true);
  math.setAttribute("display", display);
  return math;
}

/** Return a formula that may be wider than its place: it scrolls, also by keyboard. */
export function wideFormula(mathml, text, label) {
  const attributes = { class: "wide-formula", tabindex: 0, role: "group", "aria-label": label };
  return element("div", attributes, formula(mathml, text, "block"));
}
