"""Compute the value of a tree of nested lists from its leaves up, however deep it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Value = TypeVar("Value")


def value_of(tree: Any, of_leaf: Callable[[Any], Value], apply: Callable[[str, list[Value]], Value]) -> Value:
    """Return the value of ``[operator, child, ...]`` or of a leaf. apply: what an operator makes of the values of children."""
    order, stack = [], [tree]
    while stack:
        node = stack.pop()
        order.append(node)
        if isinstance(node, list):
            stack.extend(node[1:])
    values: list[Value] = []
    for node in reversed(order):  # children before parents, the first child first
        if not isinstance(node, list):
            values.append(of_leaf(node))
            continue
        first = len(values) - (len(node) - 1)
        arguments = values[first:]
        del values[first:]
        values.append(apply(node[0], arguments))
    return values[0]
