/** Make HTML and SVG elements. No style attribute and no inline handler, which the content security policy forbids. */

const SVG = "http://www.w3.org/2000/svg";

/** Return an HTML element. Attributes that begin with "on" are listeners; null, undefined and false leave one out. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return an SVG element, as `element` does. */
export function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Return a button that does something; it never submits a form. */
export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, label);
}

/** Return the options of a select from pairs of a value and its label. */
export function options(pairs) {
  return pairs.map(([value, label]) => element("option", { value }, label));
}

/** Show or hide an element. */
export function toggle(node, isShown) {
  node.hidden = !isShown;
}

/** Return a paragraph for a place that has nothing to show yet. */
export function emptyState(...sentence) {
  return element("p", { class: "empty" }, ...sentence);
}

/** Return the first element that matches, and fail loudly if the page lacks it. */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
