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

/** Return an inline formula that a screen reader reads as text, for places that need a name: buttons, heads of rows. */
export function namedFormula(mathml, text) {
  const math = formula(mathml, text);
  math.setAttribute("aria-hidden", "true");
  return [math, element("span", { class: "visually-hidden" }, text)];
}

/** Return a frame for a formula that may be wider than its place: it scrolls, also by keyboard. */
export function wide(shown, label) {
  return element("div", { class: "wide-formula", tabindex: 0, role: "group", "aria-label": label }, shown);
}
