/** The quantities by which nodes are coloured, and the scale from the smallest to the largest value. */

import { mean, percent, short } from "../core/numbers.js";

const ABOUT_NORMS = { unit: ", which this model scales to 1", layer: ", to which this model applies layer norm" };
export const ACTION_NAMES = { push: "push", no_op: "no-op", pop: "pop" };

/** Return the quantities that the nodes of a trace have: id, name, hue (a class of the style sheet), value and text. */
export function quantitiesOf(trace) {
  const gate = (id, name, hue) => ({
    id,
    name,
    hue,
    value: (node) => node.means[id] ?? null,
    text: (value) => percent(value, 0),
  });
  const found = trace.actions.map((action) => gate(action, ACTION_NAMES[action], action));
  if (trace.nodes.some((node) => node.forget.length)) {
    const value = (node) => mean(node.forget);
    found.push({ id: "forget", name: "forget gates (kept of the children)", hue: "gate-0", value, text: (x) => percent(x, 0) });
  }
  found.push(...trace.other_gates.map((name) => gate(name, `gate ${name}`, "gate-1")));
  if (trace.largest_row) found.push(rowsInUse(trace.memory_name));
  const norms = `norm of the state${ABOUT_NORMS[trace.normalised] ?? ""}`;
  found.push({ id: "norm", name: "norm of the state", about: norms, hue: "gate-2", value: (node) => node.norm, text: short });
  if (trace.is_equation) {
    const value = (node) => node.other_side;
    found.push({ id: "other_side", name: "distance to the other side's state", hue: "gate-3", value, text: short });
  }
  return found;
}

function rowsInUse(memory) {
  const name = memory === "stack" ? "stack rows in use" : `${memory} rows in use`;
  return {
    id: "rows",
    name,
    hue: "row",
    value: (node) => node.rows_in_use,
    text: (value) => String(Math.round(value * 10) / 10),
    from: 0,
  };
}

/** Return the scale of a quantity over the nodes of one or more traces; null if no node has a value. */
export function scaleOf(quantity, traces) {
  const values = traces
    .flatMap((trace) => trace.nodes.map(quantity.value))
    .filter((value) => value !== null && value !== undefined);
  if (!values.length) return null;
  const low = Math.min(quantity.from ?? Infinity, ...values);
  const high = Math.max(...values);
  const isFlat = high - low < 1e-4;
  return { low, high, isFlat, share: (value) => (isFlat ? 0.5 : (value - low) / (high - low)) };
}
