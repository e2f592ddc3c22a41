/** Arrow keys in a drawn tree: towards the parent, the first child, and the neighbours of the same level. */

const DOWNWARDS = { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after" };
const RIGHTWARDS = { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after" };

/** Return the item that a key leads to from another; null if the key does not move, the same item if there is no other. */
export function itemAfterKey(key, item, shown, items, isDownwards) {
  if (key === "Home") return shown[0];
  if (key === "End") return shown.at(-1);
  const direction = (isDownwards ? DOWNWARDS : RIGHTWARDS)[key];
  if (direction === undefined) return null;
  const level = shown.filter((other) => other.level === item.level);
  const place = level.indexOf(item);
  const found = {
    parent: () => (item.parent === null ? item : items[item.parent]),
    child: () => items[item.children[0]],
    before: () => level[place - 1],
    after: () => level[place + 1],
  }[direction]();
  return found !== undefined && shown.includes(found) ? found : item;
}
