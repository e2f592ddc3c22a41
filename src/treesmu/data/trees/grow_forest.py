"""Grow a forest by further nodes, whose children are nodes that it has, or other new ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .forest import Forest
from .intern import Longs

NOT_PLANNED = -1  # the number in the plan of a node that is not in it


def grow_forest(forest: Forest, functions: Longs, children: Longs) -> tuple[Forest, Longs]:
    """Return a forest with further nodes, and the new number of every node: first of the old ones, then of the new ones.

    functions: (new,) of the new nodes. children: (new, max_arity) numbers of old nodes, or the size of the forest plus the
    place of an earlier new node; -1 where there is none. The trees of the forest stay the same.
    """
    height = np.zeros(forest.size + len(functions), np.int64)
    for level, start, stop in forest.levels.tolist():
        height[start:stop] = level
    for i, below in enumerate(children.tolist(), forest.size):
        height[i] = 1 + max(height[child] for child in below if child >= 0)
    function = np.concatenate([np.full(len(forest.leaf), -1), forest.functions, functions])
    order = np.lexsort([function, height])  # stable, so that leaves and the nodes of a group keep their order
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    below = np.concatenate([forest.children, children])[order]
    grown = replace(
        forest,
        nodes=np.concatenate([forest.nodes, np.full(len(functions), NOT_PLANNED)])[order],
        groups=_groups(height[order], function[order]),
        children=np.where(below < 0, below, place[below]),
        roots=place[forest.roots],
    )
    return grown, place


def _groups(height: Longs, function: Longs) -> Longs:
    """Return the groups of ordered nodes, (groups, 4): height, function, start, stop."""
    is_first = np.append(True, (height[1:] != height[:-1]) | (function[1:] != function[:-1]))
    start = np.flatnonzero(is_first & (height > 0))
    stop = np.append(start[1:], len(height))[: len(start)]
    return np.stack([height[start], function[start], start, stop], axis=1)
