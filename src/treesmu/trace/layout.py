"""Place the boxes of a tree: as close as they fit, every parent above the middle of its children, no two overlapping.

The tree grows downwards; if that would be too wide to read, it grows to the right instead, as in the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

WIDEST = 1000  # of a tree that grows downwards; what is wider grows to the right
APART = 8  # between neighbours
BETWEEN_LEVELS = 34


@dataclass(frozen=True)
class Size:
    """The size of a box."""

    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """The upper left corner of each box, the size of the whole, and in which direction the tree grows."""

    corners: list[tuple[float, float]]
    whole: Size
    is_downwards: bool


def place(sizes: Sequence[Size], children: Sequence[Sequence[int]]) -> Layout:
    """Place the boxes of a tree. children: of each box, by their numbers; box 0 is the root, parents precede children."""
    downwards = _placed(sizes, children, is_downwards=True)
    return downwards if downwards.whole.width <= WIDEST else _placed(sizes, children, is_downwards=False)


def _placed(sizes: Sequence[Size], children: Sequence[Sequence[int]], is_downwards: bool) -> Layout:
    breadths = [size.width if is_downwards else size.height for size in sizes]
    lengths = [size.height if is_downwards else size.width for size in sizes]
    depths = _depths(children)
    starts = _level_starts(depths, lengths)
    lows = [centre - breadth / 2 for centre, breadth in zip(_centres(breadths, children), breadths, strict=True)]
    lowest = min(lows)
    across = [low - lowest for low in lows]
    along = [starts[depth] for depth in depths]
    extent = max(low + breadth for low, breadth in zip(across, breadths, strict=True))
    reach = max(start + length for start, length in zip(along, lengths, strict=True))
    if is_downwards:
        return Layout(list(zip(across, along, strict=True)), Size(extent, reach), True)
    return Layout(list(zip(along, across, strict=True)), Size(reach, extent), False)


def _depths(children: Sequence[Sequence[int]]) -> list[int]:
    depths = [0] * len(children)
    for i, below in enumerate(children):
        for child in below:
            depths[child] = depths[i] + 1
    return depths


def _level_starts(depths: list[int], lengths: list[float]) -> list[float]:
    """Return where each level begins, after the longest box of the level before."""
    longest = [0.0] * (max(depths) + 1)
    for depth, length in zip(depths, lengths, strict=True):
        longest[depth] = max(longest[depth], length)
    return list(accumulate((length + BETWEEN_LEVELS for length in longest[:-1]), initial=0.0))


Outline = list[tuple[float, float]]  # of a sub-tree: for each level how far it extends to both sides of its root's centre


def _centres(breadths: list[float], children: Sequence[Sequence[int]]) -> list[float]:
    """Return the centre of each box across the direction of growth."""
    outlines: dict[int, Outline] = {}
    offsets = [0.0] * len(breadths)  # from the centre of the parent
    for i in reversed(range(len(breadths))):
        below: Outline = []
        for child in children[i]:
            outline = outlines.pop(child)
            shift = max((before[1] + APART - after[0] for before, after in zip(below, outline, strict=False)), default=0.0)
            offsets[child] = shift
            below = _joined(below, [(low + shift, high + shift) for low, high in outline])
        middle = (offsets[children[i][0]] + offsets[children[i][-1]]) / 2 if children[i] else 0.0
        for child in children[i]:
            offsets[child] -= middle
        half = breadths[i] / 2
        outlines[i] = [(-half, half), *((low - middle, high - middle) for low, high in below)]
    centres = [0.0] * len(breadths)
    for i, below_i in enumerate(children):
        for child in below_i:
            centres[child] = centres[i] + offsets[child]
    return centres


def _joined(left: Outline, right: Outline) -> Outline:
    """Return the outline of two neighbours, of which the right one is beyond the left one at every level of both."""
    both = [(a[0], b[1]) for a, b in zip(left, right, strict=False)]
    return both + left[len(both) :] + right[len(both) :]
