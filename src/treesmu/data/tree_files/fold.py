"""Fold nodes with many children: some at a time are put under a node of their own, until no node has too many."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .reading import Reading
from .table import PAIR

Array = NDArray[Any]
ADDED = -1  # the origin of a node that was added


class FlatTrees(NamedTuple):
    """Rows of trees in preorder, as symbols."""

    symbol: Array  # (nodes,) int32
    arity: Array  # (nodes,) int32
    starts: Array  # (rows + 1,) int64
    origin: Array  # (nodes,) int64: which node of the table each one is, or ADDED


def fold_wide(symbol: Array, arity: Array, starts: Array, reading: Reading) -> FlatTrees:
    """Return the rows with all nodes folded that have more children than their functions; the others stay as they are."""
    most = np.array([*reading.vocab.arities, 0, 2], np.int64)  # leaves share the entry after the functions; -1 is a pair
    functions = len(reading.vocab.functions)
    is_wide = arity > most[np.minimum(symbol, functions)]
    origin = np.arange(len(symbol))
    if not is_wide.any():
        return FlatTrees(symbol, arity, starts, origin)
    rows = np.unique(np.searchsorted(starts, np.flatnonzero(is_wide), side="right") - 1)
    parts, before = [], 0
    for row in rows.tolist():  # only rows with wide nodes are taken apart
        begin, end = int(starts[row]), int(starts[row + 1])
        parts.append((symbol[before:begin], arity[before:begin], origin[before:begin]))
        parts.append(_fold_row(symbol[begin:end].tolist(), arity[begin:end].tolist(), begin, most.tolist(), reading))
        before = end
    parts.append((symbol[before:], arity[before:], origin[before:]))
    size = np.diff(starts)
    size[rows] = [len(part[0]) for part in parts[1::2]]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return FlatTrees(columns[0].astype(np.int32), columns[1].astype(np.int32), np.append(0, np.cumsum(size)), columns[2])


def _fold_row(symbol: list[int], arity: list[int], first: int, most: list[int], reading: Reading) -> tuple[Array, Array, Array]:
    """Return symbols, numbers of children and origins of a folded row. first: the number of its first node in the table."""
    children = _children(arity)
    origin = [first + node for node in range(len(symbol))]
    functions = len(reading.vocab.functions)
    for node in range(len(symbol)):
        below = children[node]
        limit = most[min(symbol[node], functions)]
        while len(below) > limit and symbol[node] != PAIR:
            part = reading.part_of(symbol[node])
            width = max(2, most[part])
            groups = [below[start : start + width] for start in range(0, len(below), width)]
            below = [group[0] if len(group) == 1 else len(symbol) + k for k, group in enumerate(groups)]
            for group in groups:
                symbol.append(part)
                children.append(group)
                origin.append(ADDED)
        children[node] = below
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(children[node]))
    return (
        np.array([symbol[i] for i in order]),
        np.array([len(children[i]) for i in order]),
        np.array([origin[i] for i in order]),
    )


def _children(arity: list[int]) -> list[list[int]]:
    """Return the children of each node of a row in preorder."""
    children: list[list[int]] = [[] for _ in arity]
    stack: list[int] = []
    for node in range(len(arity) - 1, -1, -1):
        for _ in range(arity[node]):
            children[node].append(stack.pop())
        stack.append(node)
    return children
