/** The nodes of a trace as items of one tree, with the equality as its root where there is one. */

const LONGEST_SYMBOL = 12; // characters; longer ones are cut

/** Return the key of a path: "r" is the root, "r.0" its first child. */
export function keyOf(path) {
  return ["r", ...path].join(".");
}

/** Return the path of a key, as the service counts it. */
export function pathOf(key) {
  return key.split(".").slice(1).map(Number);
}

/**
 * Return all items in preorder. An item has key, node (null for the equality), symbol, expression, children and parent (places in
 * the list; null for the root), level (1 for the root), height (0 for leaves) and size (of its sub-tree).
 */
export function itemsOf(trace) {
  const shift = trace.is_equation ? 1 : 0;
  const items = trace.nodes.map((node) => ({
    key: keyOf(node.path),
    node,
    symbol: cut(node.symbol),
    expression: node.expression,
    children: node.children.map((place) => place + shift),
    parent: node.parent === null ? (shift ? 0 : null) : node.parent + shift,
    level: node.depth + 1,
    height: node.height,
  }));
  if (shift) items.unshift(equality(trace, items));
  for (const item of items.toReversed()) item.size = 1 + item.children.reduce((sum, place) => sum + items[place].size, 0);
  return items;
}

function equality(trace, sides) {
  const roots = sides.flatMap((item, place) => (item.node.parent === null ? [place + 1] : []));
  const height = 1 + Math.max(...roots.map((place) => sides[place - 1].height));
  return { key: "r", node: null, symbol: "=", expression: trace.expression, children: roots, parent: null, level: 1, height };
}

function cut(symbol) {
  return symbol.length > LONGEST_SYMBOL ? `${symbol.slice(0, LONGEST_SYMBOL - 1)}…` : symbol;
}

/** Return the places of the items that are shown if the sub-trees below the folded keys are not. */
export function shownPlaces(items, folded) {
  const isHidden = new Set();
  return [...items.keys()].filter((place) => {
    const { parent } = items[place];
    if (parent !== null && (isHidden.has(parent) || folded.has(items[parent].key))) isHidden.add(place);
    return !isHidden.has(place);
  });
}

/** Return the keys to fold so that at most `most` items are shown: everything below the deepest level that fits. */
export function foldsToFit(items, most) {
  const levels = items.map((item) => item.level);
  const isShallow = (deepest) => levels.filter((level) => level <= deepest).length <= most;
  let deepest = Math.max(...levels);
  while (deepest > 2 && !isShallow(deepest)) deepest -= 1;
  return new Set(items.filter((item) => item.level === deepest && item.children.length).map((item) => item.key));
}
