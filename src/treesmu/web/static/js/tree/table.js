/** All nodes of a trace as a table: the text alternative of the drawing. */

import { element } from "../core/dom.js";
import { percent, short } from "../core/numbers.js";
import { keyOf } from "./items.js";
import { ACTION_NAMES } from "./quantities.js";

/** Return the table; `open` is called with the key of a node that the reader chose. */
export function nodeTable(trace, open) {
  const rows = trace.nodes[0].stack.map((_, i) => i);
  const gates = [...trace.actions, ...trace.other_gates];
  const heads = [
    "sub-expression",
    "depth",
    ...gates.map((name) => ACTION_NAMES[name] ?? name),
    "kept of children",
    ...rows.map((i) => `row ${i}`),
    "norm",
  ];
  const line = (node) => {
    const cells = [
      node.depth,
      ...gates.map((name) => (name in node.means ? percent(node.means[name], 0) : "")),
      node.forget.map((value) => percent(value, 0)).join(", "),
      ...rows.map((i) => short(node.row_norms[i])),
      short(node.norm),
    ];
    const link = element("button", { type: "button", class: "link", onclick: () => open(keyOf(node.path)) }, node.expression);
    return element("tr", {}, element("th", { scope: "row" }, link), ...cells.map((cell) => element("td", {}, String(cell))));
  };
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  return element(
    "div",
    { class: "table-frame", tabindex: 0, role: "group", "aria-label": "All nodes as a table" },
    element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...trace.nodes.map(line))),
  );
}
