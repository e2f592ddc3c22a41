/** What a node does with its children's stacks, computed again from the gates: combine, then push, keep and pop in shares. */

const CLOSE = 1e-3; // relative to the largest entry: the numbers come from float32

/** Return the sum of the children's stacks, each times its forget gate: rows of numbers; null if the model has no such gates. */
export function combined(node, children) {
  const gates = node.gates.f;
  if (!gates || gates.length !== children.length) return null;
  return node.stack.map((row, k) =>
    row.map((_, i) => children.reduce((sum, child, c) => sum + at(gates[c], i) * child.stack[k][i], 0)),
  );
}

/** Return the three stacks of which a node's stack is the mixture: after a push, as it was, and after a pop. */
export function outcomes(node, sum) {
  const empty = sum[0].map(() => 0);
  return { push: [node.gates.u ?? empty, ...sum.slice(0, -1)], no_op: sum, pop: [...sum.slice(1), empty] };
}

/**
 * Return combined stack and outcomes if they explain the node's stack, otherwise null: a cell of the reader's own may do
 * something else with the same gates, and a wrong explanation is worse than none.
 */
export function operationAt(node, children, actions) {
  const sum = actions.length && node.stack.length ? combined(node, children) : null;
  if (sum === null || !node.gates.u) return null;
  const parts = outcomes(node, sum);
  const mixture = (k, i) => actions.reduce((total, action) => total + at(node.gates[action], i) * parts[action][k][i], 0);
  const largest = Math.max(...node.stack.flat().map(Math.abs), CLOSE);
  const isExplained = node.stack.every((row, k) => row.every((value, i) => Math.abs(mixture(k, i) - value) < CLOSE * largest));
  return isExplained ? { sum, parts } : null;
}

/** Return entry i of a gate; a gate of one entry holds for all. */
function at(gate, i) {
  return gate.length === 1 ? gate[0] : gate[i];
}
