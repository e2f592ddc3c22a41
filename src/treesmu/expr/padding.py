"""Padding in expressions: structure that changes nothing, such as 1*x, 0 + x, x^1, -(-x), f(f^-1(x))."""

from __future__ import annotations

from .node import missing_from
from .ops import FUNCTIONS
from .tree import Expr, leaf

Memo = dict[Expr, tuple[int, bool]]  # for each sub-expression the padding nodes in it, and whether its root is one

_ZERO, _ONE, _MINUS_ONE, _E = (leaf(token) for token in ("0", "1", "-1", "e"))
_INVERSES = {f.name: f"a{f.name}" for f in FUNCTIONS if f.family in ("trigonometric", "hyperbolic")}
_INVERSES |= {inverse: name for name, inverse in _INVERSES.items()}


def count_padding(e: Expr, memo: Memo) -> int:
    """Return the number of nodes that change nothing: in 1*x, 0+x, x^1, -(-x), 1/(1/x), and f(g(x)) where f inverts g.

    Each node counts once. The memo is filled, so that expressions with common parts can share it.
    """
    for part in missing_from(memo, e):
        count = _neutral_nodes(part)
        inner = _inverted_child(part)
        if inner is not None:  # in f(g(f(x))) three nodes are padding, not four
            count = _nodes_of(part) + (0 if memo[inner][1] else _nodes_of(inner))
        memo[part] = count + sum(memo[c][0] for c in part.children), count > 0
    return memo[e][0]


def _neutral_nodes(part: Expr) -> int:
    """Return 2 for an operation with its neutral element (1*x, 0 + x, x^1), else 0."""
    neutral = {"Mul": _ONE, "Add": _ZERO}
    if part.token in neutral:
        return 2 if neutral[part.token] in part.children else 0
    return 2 if part.token == "Pow" and part.right is _ONE else 0


def _inverted_child(part: Expr) -> Expr | None:
    """Return the child whose function this node inverts, None if there is none."""
    match part.token, part.children:
        case ("Mul", (first, second)) if first is _MINUS_ONE and second.token == "Mul" and second.left is _MINUS_ONE:
            return second
        case ("Pow", (first, second)) if second is _MINUS_ONE and first.token == "Pow" and first.right is _MINUS_ONE:
            return first
        case ("log", (inner, base)) | ("Pow", (base, inner)) if _has_form(inner, base, "Pow" if part.token == "log" else "log"):
            return inner
        case ("exp", (inner,)) if _has_form(inner, _E, "log"):
            return inner
        case (name, (inner,)) if inner.token == _INVERSES.get(name):
            return inner
    return None


def _has_form(inner: Expr, base: Expr, name: str) -> bool:
    """Return whether an expression is base^x (name Pow) or log(x, base) (name log)."""
    if name == "log":
        return inner.token == "log" and inner.right is base
    return (inner.token == "Pow" and inner.left is base) or (inner.token == "exp" and base is _E)


def _nodes_of(part: Expr) -> int:
    """Return 1 for a node, or 2 with its constant: the -1 of a negation, the base of a power or a logarithm."""
    return len(part.children)
