"""Shapes that all printers recognise: differences, quotients, negatives and roots, and where they need parentheses.

Leaves are compared by token and not by object: making a leaf needs Expr, which prints itself with this module.
"""

from __future__ import annotations

from math import gcd

from ..node import Node
from ..ops import ADD, EQUALITY, MUL, POW
from .render import ANY, ATOM, FACTOR, NEGATION, PRODUCT, SUM, Part, Written


def equation_or_sum(e: Node, *, draws_fractions: bool = False) -> Written:
    """Return how plain text and LaTeX write an equation, a difference and a sum."""
    if e.op is EQUALITY:
        return ANY, [(e.left, SUM), " = ", (e.right, SUM)]
    if pair := as_difference(e):
        return SUM, [(pair[0], SUM), " - ", subtrahend(pair[1], draws_fractions)]
    return SUM, [(e.left, SUM), " + ", right_term(e.right, draws_fractions)]


def as_difference(e: Node) -> tuple[Node, Node] | None:
    """Return (a, b) if e is a - b, which is Add(a, Mul(-1, b))."""
    if e.op is ADD and e.right.op is MUL and e.right.left.token == "-1":
        return e.left, e.right.right
    return None


def as_quotient(e: Node) -> tuple[Node, Node] | None:
    """Return (a, b) if e is a / b, which is Mul(a, Pow(b, -1)); but 1 * 2^-1 is not the fraction 1/2."""
    if e.op is MUL and e.right.op is POW and e.right.right.token == "-1" and not is_fraction(e.left, e.right.left):
        return e.left, e.right.left
    return None


def is_fraction(top: Node, bottom: Node) -> bool:
    """Return whether top/bottom, as written, is a fraction in lowest terms, which is a leaf."""
    a, b = top.number, bottom.number
    if a is None or b is None or a.denominator != 1 or b.denominator != 1 or top.is_decimal or bottom.is_decimal:
        return False
    return b > 1 and gcd(int(a), int(b)) == 1


def as_negative(e: Node, draws_fractions: bool = False) -> Node | None:
    """Return a if e is -a, which is Mul(-1, a), and a does not begin with a digit: -2 is a number."""
    return e.right if e.op is MUL and e.left.token == "-1" and not begins_with_digit(e.right, draws_fractions) else None


def begins_with_digit(e: Node, draws_fractions: bool = False) -> bool:
    r"""Return whether the text of an expression begins with a digit; LaTeX draws fractions, so 1/2 begins with \frac."""
    while e.op in (ADD, MUL, POW):
        if draws_fractions and as_quotient(e) is not None:
            return False
        e = e.left
    return e.op is None and e.token[0].isdigit() and not (draws_fractions and "/" in e.token)


def begins_with_minus(e: Node, draws_fractions: bool = False) -> bool:
    r"""Return whether the text of an expression begins with a minus sign; LaTeX draws fractions, so -1/2 begins with \frac."""
    while e.op in (ADD, MUL):
        if draws_fractions and as_quotient(e) is not None:
            return False
        if as_negative(e, draws_fractions) is not None:
            return True
        if e.op is MUL and (e.left.op is ADD or as_negative(e.left, draws_fractions) is not None):
            return False  # such a factor begins with a parenthesis
        e = e.left
    return e.op is None and e.token[0] == "-" and not (draws_fractions and "/" in e.token)


def root_degree(e: Node) -> int:
    """Return n if e is an n-th root written with a fraction, Pow(a, 1/n); else 0."""
    if e.op is not POW or e.right.number is None or e.right.is_decimal:
        return 0
    n = e.right.number
    return n.denominator if n.numerator == 1 and n.denominator > 1 else 0


def leaf_binding(e: Node) -> int:
    """Return how strongly a leaf binds in plain text: 1/2 like a product, -2 like a negation."""
    if e.number is None:
        return ATOM
    return PRODUCT if "/" in e.token else NEGATION if e.token[0] == "-" else ATOM


def left_factor(e: Node) -> Part:
    """Return the left factor of a product: a number needs no parentheses there, even if negative or a fraction."""
    return (e, ANY if e.number is not None else PRODUCT)


def right_term(e: Node, draws_fractions: bool = False) -> Part:
    """Return the right term of a sum, in parentheses if it begins with a minus sign."""
    return (e, FACTOR if e.op is not None and begins_with_minus(e, draws_fractions) else NEGATION)


def subtrahend(e: Node, draws_fractions: bool = False) -> Part:
    """Return what follows a minus sign, in parentheses if it is a sum or begins with a minus sign itself."""
    return (e, FACTOR if begins_with_minus(e, draws_fractions) else PRODUCT)
