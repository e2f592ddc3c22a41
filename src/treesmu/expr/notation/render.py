"""Print an expression in any notation, without superfluous parentheses.

A notation (a function such as those in :mod:`~treesmu.expr.notation.infix`) says how one node is written: how strongly it
binds and its parts, which are strings and children. :func:`render` puts the parts together, with parentheses around
children that bind too weakly. It uses an explicit stack, so depth is not limited by Python's recursion limit. The only
parentheses that could be left out are those around a minus sign after an operator: ``2*(-3)``, ``x^(-y)``.
"""

from __future__ import annotations

from collections.abc import Callable

from ..node import Node

Part = str | tuple[Node, float]  # literal text, or a child with the weakest binding that needs no parentheses
Written = tuple[float, list[Part]]  # how strongly a node binds, and its parts
Notation = Callable[[Node], Written]

ANY, SUM, NEGATION, PRODUCT, FACTOR, POWER, ATOM = range(7)  # how strongly nodes bind, from weak to strong


def render(e: Node, notation: Notation, parentheses: tuple[str, str]) -> str:
    """Return an expression as text in a notation."""
    pieces: list[str] = []
    stack: list[Part] = [(e, ANY)]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        child, weakest = part
        binding, parts = notation(child)
        if binding < weakest:
            parts = [parentheses[0], *parts, parentheses[1]]
        stack.extend(reversed(parts))
    return "".join(pieces)
