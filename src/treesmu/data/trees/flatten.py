"""Nested tuples to arrays: the nodes of trees with any labels and any number of children."""

from __future__ import annotations

from typing import Any

import numpy as np

from treesmu.errors import DataError

from .intern import NO_CHILD, Ints, Longs
from .nested_tuples import label_of
from .vocab import Vocab


def flatten(trees: list[Any], vocab: Vocab) -> tuple[Ints, Ints, Longs, list[str]]:
    """Return symbols (nodes,), children (max_arity, nodes), roots (trees, 2 or 1) and the tokens of leaf symbols.

    Symbols are numbered as in prefix strings: functions, leaves, then the decimals met. Parents come before children.
    """
    if not trees:
        raise DataError("nothing to plan: there are no trees")
    tokens = list(vocab.leaves)
    decimals: dict[str, int] = {}
    symbols: list[int] = []
    below: list[list[int]] = []
    roots: list[list[int]] = []
    stack: list[tuple[int, tuple[Any, ...]]] = []

    def add(tree: Any, row: int) -> int:
        label, parts = label_of(tree, row)
        try:
            symbols.append(symbol(label, len(parts)))
        except DataError as error:
            raise DataError(f"tree {row}: {error}") from None
        below.append([])
        stack.append((len(below) - 1, parts))
        return len(below) - 1

    def symbol(label: str, arguments: int) -> int:
        if arguments:
            return _function(vocab, label, arguments)
        place = vocab.leaf_id(label)
        if place == vocab.number_id:
            place = decimals.setdefault(label, len(tokens))
            if place == len(tokens):
                tokens.append(label)
        return len(vocab.functions) + place

    for row, tree in enumerate(trees):
        sides = _sides(tree, row, vocab)
        if roots and len(sides) != len(roots[0]):
            kinds = "an equation among plain trees" if len(sides) == 2 else "a plain tree among equations"
            raise DataError(f"tree {row}: {kinds}; batch the two kinds apart")
        roots.append([add(side, row) for side in sides])
        while stack:
            node, rest = stack.pop()
            below[node].extend(add(part, row) for part in rest)
    children = np.full((max(vocab.arities, default=1), len(symbols)), NO_CHILD, np.int32)
    for node, found in enumerate(below):
        children[: len(found), node] = found
    return np.array(symbols, np.int32), children, np.array(roots, np.int64), tokens


def _sides(tree: Any, row: int, vocab: Vocab) -> tuple[Any, ...]:
    """Return the two sides of an equation, or the tree itself."""
    label, parts = label_of(tree, row)
    if not parts or label != vocab.equality:
        return (tree,)
    if len(parts) != 2:
        raise DataError(f"tree {row}: {label!r} takes 2 arguments, not {len(parts)}")
    return parts


def _function(vocab: Vocab, label: str, arguments: int) -> int:
    """Return the id of a function, which must take so many arguments."""
    if label == vocab.equality:
        raise DataError("an equation cannot be a part of an expression")
    function = vocab.function_id(label)
    arity = vocab.arities[function]
    if arguments > arity or (arguments < arity and not vocab.variadic):
        at_most = "at most " * vocab.variadic
        raise DataError(f"{label!r} takes {at_most}{arity} argument{'s' * (arity > 1)}, not {arguments}")
    return function


def heights(children: Ints) -> Ints:
    """Return (nodes,) 0 for a leaf, else 1 + the height of the highest child. Parents come before their children."""
    height = [0] * children.shape[1]
    parent = [NO_CHILD] * len(height)
    for row in children:  # a node of a tree has one parent
        there = np.flatnonzero(row >= 0)
        for node, child in zip(there.tolist(), row[there].tolist(), strict=True):
            parent[child] = node
    for node in range(len(height) - 1, -1, -1):
        above = parent[node]
        if above >= 0 and height[above] <= height[node]:
            height[above] = height[node] + 1
    return np.array(height, np.int32)
