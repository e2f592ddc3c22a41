/** Two traces of the same expression: the quantities that they share, and a table of one node in both. */

import { element } from "../core/dom.js";
import { quantitiesOf } from "../tree/quantities.js";

/** Return the quantities that all traces have; a trace that is null has none to say. */
export function commonQuantities(traces) {
  const [first, ...others] = traces.filter(Boolean).map(quantitiesOf);
  return (first ?? []).filter(({ id }) => others.every((known) => known.some((other) => other.id === id)));
}

function allQuantities(traces) {
  const all = traces.filter(Boolean).flatMap(quantitiesOf);
  return all.filter((one, i) => all.findIndex(({ id }) => id === one.id) === i);
}

/** Return a table of the quantities of a node, one column for each trace; a node that a trace lacks is null. */
export function pairTable(nodes, traces) {
  const heads = traces.map((trace) => element("th", { scope: "col" }, trace?.model ?? "–"));
  const lines = allQuantities(traces).map((quantity) => {
    const cells = nodes.map((node, i) => element("td", {}, valueOf(quantity, node, traces[i])));
    return element("tr", {}, element("th", { scope: "row" }, quantity.name), ...cells);
  });
  return element(
    "div",
    {},
    element("h3", {}, element("span", {}, "At ", element("code", {}, nodes.find(Boolean).expression))),
    element(
      "table",
      { class: "numbers" },
      element("thead", {}, element("tr", {}, element("td", {}), ...heads)),
      element("tbody", {}, ...lines),
    ),
  );
}

function valueOf(quantity, node, trace) {
  const own = node && quantitiesOf(trace).find(({ id }) => id === quantity.id);
  const value = own ? own.value(node) : null;
  return value === null ? "–" : own.text(value);
}
