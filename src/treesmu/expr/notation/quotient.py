"""How a quotient is a tree: a product with a power of -1, or a fraction, which is a leaf."""

from __future__ import annotations

from math import gcd

from ..ops import MUL, POW
from ..tree import Expr, leaf, node

_MINUS_ONE = leaf("-1")


def quotient(top: Expr, bottom: Expr) -> Expr:
    """top/bottom as a product, or as a fraction leaf where it is one (1/2, -3/4)."""
    if is_fraction(top, bottom):
        return leaf(f"{top.token}/{bottom.token}")
    return node(MUL, top, node(POW, bottom, _MINUS_ONE))


def is_fraction(top: Expr, bottom: Expr) -> bool:
    """Whether top/bottom, as written, is a fraction in lowest terms."""
    a, b = top.number, bottom.number
    if a is None or b is None or a.denominator != 1 or b.denominator != 1 or top.is_decimal or bottom.is_decimal:
        return False
    return b > 1 and gcd(int(a), int(b)) == 1
