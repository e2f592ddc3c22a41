/**
 * Place the boxes of a tree: as close as they fit, every parent above the middle of its children, no two overlapping.
 * The same way as src/treesmu/trace/layout.py does it.
 */

const APART = 8; // between neighbours
const BETWEEN_LEVELS = 32;

/** Return corners, width and height. sizes: of all boxes; children: of each box; box 0 is the root, parents precede children. */
export function place(sizes, children, isDownwards) {
  const breadths = sizes.map((size) => (isDownwards ? size.width : size.height));
  const lengths = sizes.map((size) => (isDownwards ? size.height : size.width));
  const depths = depthsOf(children);
  const starts = levelStarts(depths, lengths);
  const lows = centres(breadths, children).map((centre, i) => centre - breadths[i] / 2);
  const lowest = Math.min(...lows);
  const across = lows.map((low) => low - lowest);
  const along = depths.map((depth) => starts[depth]);
  const extent = Math.max(...across.map((low, i) => low + breadths[i]));
  const reach = Math.max(...along.map((start, i) => start + lengths[i]));
  return {
    corners: across.map((low, i) => (isDownwards ? { x: low, y: along[i] } : { x: along[i], y: low })),
    width: isDownwards ? extent : reach,
    height: isDownwards ? reach : extent,
    isDownwards,
  };
}

function depthsOf(children) {
  const depths = children.map(() => 0);
  children.forEach((below, i) => below.forEach((child) => (depths[child] = depths[i] + 1)));
  return depths;
}

/** Return where each level begins, after the longest box of the level before. */
function levelStarts(depths, lengths) {
  const longest = Array(Math.max(...depths) + 1).fill(0);
  depths.forEach((depth, i) => (longest[depth] = Math.max(longest[depth], lengths[i])));
  let start = 0;
  return longest.map((length) => {
    const mine = start;
    start += length + BETWEEN_LEVELS;
    return mine;
  });
}

/** Return the centre of each box across the direction of growth. */
function centres(breadths, children) {
  const outlines = []; // of a sub-tree: for each level how far it extends to both sides of its root's centre
  const offsets = breadths.map(() => 0); // from the centre of the parent
  for (let i = breadths.length - 1; i >= 0; i -= 1) {
    let below = [];
    for (const child of children[i]) {
      const gaps = outlines[child].flatMap(([low], level) => (level < below.length ? [below[level][1] + APART - low] : []));
      const shift = gaps.length ? Math.max(...gaps) : 0;
      offsets[child] = shift;
      below = joined(
        below,
        outlines[child].map(([low, high]) => [low + shift, high + shift]),
      );
    }
    const middle = children[i].length ? (offsets[children[i][0]] + offsets[children[i].at(-1)]) / 2 : 0;
    for (const child of children[i]) offsets[child] -= middle;
    outlines[i] = [[-breadths[i] / 2, breadths[i] / 2], ...below.map(([low, high]) => [low - middle, high - middle])];
  }
  const found = breadths.map(() => 0);
  children.forEach((below, i) => below.forEach((child) => (found[child] = found[i] + offsets[child])));
  return found;
}

/** Return the outline of two neighbours, of which the right one is beyond the left one at every level of both. */
function joined(left, right) {
  const longer = left.length > right.length ? left : right;
  return longer.map((_, level) => [(left[level] ?? right[level])[0], (right[level] ?? left[level])[1]]);
}
