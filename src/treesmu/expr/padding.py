"""How much of an expression is padding: structure without content, such as 1*x, 0 + x, x^1, -(-x), f(f^-1(x))."""

from __future__ import annotations

from .node import missing_from
from .ops import FUNCTIONS
from .tree import Expr, leaf

Memo = dict[Expr, tuple[int, bool]]  # nodes of padding in it; whether the node itself is one already

_ZERO, _ONE, _MINUS_ONE, _E = (leaf(token) for token in ("0", "1", "-1", "e"))
_INVERSES = {f.name: f"a{f.name}" for f in FUNCTIONS if f.family in ("trigonometric", "hyperbolic")}
_INVERSES |= {inverse: name for name, inverse in _INVERSES.items()}


def count_padding(e: Expr, memo: Memo) -> int:
    """The nodes that stand for nothing: in 1*x, 0+x, x^1, -(-x), 1/(1/x), and f(g(x)) where g undoes f. Each counts once."""
    for part in missing_from(memo, e):
        own = _padding_at(part)
        partner = _undone_by(part)
        if partner is not None:  # f(g(f(x))) has three nodes of it
            own = _weight(part) + (0 if memo[partner][1] else _weight(partner))
        memo[part] = own + sum(memo[c][0] for c in part.children), own > 0
    return memo[e][0]


def _padding_at(part: Expr) -> int:
    units = {"Mul": _ONE, "Add": _ZERO}
    if part.token in units:
        return 2 if units[part.token] in part.children else 0
    return 2 if part.token == "Pow" and part.right is _ONE else 0


def _undone_by(part: Expr) -> Expr | None:
    """The child that this node undoes."""
    match part.token, part.children:
        case ("Mul", (first, second)) if first is _MINUS_ONE and second.token == "Mul" and second.left is _MINUS_ONE:
            return second
        case ("Pow", (first, second)) if second is _MINUS_ONE and first.token == "Pow" and first.right is _MINUS_ONE:
            return first
        case ("log", (inner, base)) | ("Pow", (base, inner)) if _raises(inner, base, "Pow" if part.token == "log" else "log"):
            return inner
        case ("exp", (inner,)) if _raises(inner, _E, "log"):
            return inner
        case (name, (inner,)) if inner.token == _INVERSES.get(name):
            return inner
    return None


def _raises(inner: Expr, base: Expr, name: str) -> bool:
    """Whether this is base^x or, by the name, log(x, base)."""
    if name == "log":
        return inner.token == "log" and inner.right is base
    return (inner.token == "Pow" and inner.left is base) or (inner.token == "exp" and base is _E)


def _weight(part: Expr) -> int:
    """A node with its constant: the -1 of a negation, the base of a power or a logarithm."""
    return len(part.children)
