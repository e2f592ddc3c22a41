/** The order in which a tree is computed: all leaves at once, then one inner node after the other, the lowest first. */

import { percent, short } from "../core/numbers.js";
import { actionsInWords } from "./describe.js";

/** Return the last step and the step of each key: 0 for leaves. The equality, where the sides are compared, is the last. */
export function stepsOf(items) {
  const inner = items.filter((item) => item.height > 0).toSorted((a, b) => a.height - b.height);
  const numbers = new Map(items.map((item) => [item.key, 0]));
  inner.forEach((item, i) => numbers.set(item.key, i + 1));
  return { last: inner.length, numbers, itemAt: (step) => inner[step - 1] ?? null };
}

/** Return what happens at a step, as a sentence. */
export function sentenceOfStep(step, steps, trace) {
  const item = steps.itemAt(step);
  if (item === null) return `The leaves get their states; the ${trace.memory_name} of a leaf is empty.`;
  if (item.node === null) {
    const chance = trace.probability === null ? "" : `, so P(correct) is ${percent(trace.probability)}`;
    return `The states of the two sides are compared: they are ${short(trace.distance)} apart${chance}.`;
  }
  const { node } = item;
  if (!trace.actions.length) return `${node.expression} is computed from ${partsOf(node)}.`;
  const sum =
    node.forget.length > 1
      ? `adds the ${trace.memory_name}s of its ${node.forget.length} children`
      : `takes the ${trace.memory_name} of its child`;
  return `${node.expression} ${sum} (kept: ${node.forget.map((f) => percent(f, 0)).join(" and ")}), then ${actionsInWords(trace, node)}.`;
}

function partsOf(node) {
  return node.children.length === 1 ? "its child" : `its ${node.children.length} children`;
}

/** Mark the groups of a drawing: what is not computed yet, what is computed now, and from what. */
export function markStep(groups, items, steps, step) {
  const now = steps.itemAt(step);
  const isPlaying = step < steps.last;
  for (const [key, group] of groups) {
    const item = items.find((one) => one.key === key);
    const parent = item.parent === null ? null : items[item.parent];
    group.classList.toggle("waiting", steps.numbers.get(key) > step);
    group.classList.toggle("now", isPlaying && now === item);
    group.classList.toggle("source", isPlaying && now !== null && parent === now);
  }
}
