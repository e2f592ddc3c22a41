/** A node in words, for screen readers and tooltips. */

import { percent, short } from "../core/numbers.js";
import { ACTION_NAMES } from "./quantities.js";

/** Return what a node does, as one line. */
export function sentenceAbout(item, trace, quantity) {
  const { node } = item;
  if (node === null) return `${item.expression}; the states of the two sides are ${short(trace.distance)} apart`;
  const parts = [node.expression];
  const actions = trace.actions.filter((action) => action in node.means);
  if (actions.length) parts.push(actionsInWords(trace, node));
  if (node.stack.length) parts.push(`norms of its ${trace.memory_name} rows ${node.row_norms.map(short).join(", ")}`);
  const value = quantity?.value(node) ?? null;
  if (value !== null && !actions.includes(quantity.id)) parts.push(`${quantity.name} ${quantity.text(value)}`);
  return parts.join("; ");
}

/** Return the shares of the actions: "push 15%, no-op 55%, pop 30%". */
export function actionsInWords(trace, node) {
  const own = trace.actions.filter((action) => action in node.means);
  return own.map((action) => `${ACTION_NAMES[action]} ${percent(node.means[action], 0)}`).join(", ");
}

/** Return the attributes that make a group an item of a tree for screen readers. */
export function itemRoles(item, items, label, isFolded) {
  const siblings = item.parent === null ? [item] : items[item.parent].children.map((place) => items[place]);
  const below = item.children.length ? { "aria-expanded": String(!isFolded) } : {};
  return {
    role: "treeitem",
    "aria-level": item.level,
    "aria-posinset": siblings.indexOf(item) + 1,
    "aria-setsize": siblings.length,
    "aria-label": label,
    "data-key": item.key,
    ...below,
  };
}
