"""Flatten nested tuples into arrays: the nodes of trees with any labels and any number of children."""

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
    nodes = _Nodes(vocab)
    roots: list[list[int]] = []
    for row, tree in enumerate(trees):
        sides = _sides(tree, row, vocab)
        if roots and len(sides) != len(roots[0]):
            kinds = "an equation among plain trees" if len(sides) == 2 else "a plain tree among equations"
            raise DataError(f"tree {row}: {kinds}; batch the two kinds apart")
        roots.append(nodes.add_trees(sides, row))
    children = np.full((max(vocab.arities, default=1), len(nodes.symbols)), NO_CHILD, np.int32)
    for node, found in enumerate(nodes.children):
        children[: len(found), node] = found
    return np.array(nodes.symbols, np.int32), children, np.array(roots, np.int64), nodes.leaf_tokens


class _Nodes:
    """The nodes of the trees added so far, numbered from 0."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.symbols: list[int] = []
        self.children: list[list[int]] = []
        self.leaf_tokens = list(vocab.leaves)
        self._decimals: dict[str, int] = {}
        self._unfinished: list[tuple[int, tuple[Any, ...]]] = []  # nodes whose children have not been added yet

    def add_trees(self, trees: tuple[Any, ...], row: int) -> list[int]:
        """Add all nodes of trees and return the numbers of the roots. row: for errors."""
        roots = [self._add(tree, row) for tree in trees]
        while self._unfinished:
            node, parts = self._unfinished.pop()
            self.children[node].extend(self._add(part, row) for part in parts)
        return roots

    def _add(self, tree: Any, row: int) -> int:
        """Add the root of a tree and return its number."""
        label, parts = label_of(tree, row)
        try:
            self.symbols.append(_function(self.vocab, label, len(parts)) if parts else self._leaf(label))
        except DataError as error:
            raise DataError(f"tree {row}: {error}") from None
        node = len(self.children)
        self.children.append([])
        self._unfinished.append((node, parts))
        return node

    def _leaf(self, label: str) -> int:
        """Return the symbol of a leaf; a decimal that is met for the first time gets the next one."""
        place = self.vocab.leaf_id(label)
        if place == self.vocab.number_id:
            place = self._decimals.setdefault(label, len(self.leaf_tokens))
            if place == len(self.leaf_tokens):
                self.leaf_tokens.append(label)
        return len(self.vocab.functions) + place


def _sides(tree: Any, row: int, vocab: Vocab) -> tuple[Any, ...]:
    """Return the two sides of an equation, or the tree itself."""
    label, parts = label_of(tree, row)
    if not parts or label != vocab.equality:
        return (tree,)
    if len(parts) != 2:
        raise DataError(f"tree {row}: {label!r} takes 2 arguments, not {len(parts)}")
    return parts


def _function(vocab: Vocab, label: str, arguments: int) -> int:
    """Return the id of a function; raise a DataError if it does not take this many arguments."""
    if label == vocab.equality:
        raise DataError("an equation cannot be a part of an expression")
    function = vocab.function_id(label)
    arity = vocab.arities[function]
    if arguments > arity or (arguments < arity and not vocab.variadic):
        at_most = "at most " * vocab.variadic
        raise DataError(f"{label!r} takes {at_most}{arity} argument{'s' * (arity > 1)}, not {arguments}")
    return function


def heights(children: Ints) -> Ints:
    """Return the height of each node, (nodes,): 0 for a leaf, else 1 + that of the highest child. Parents come first."""
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
