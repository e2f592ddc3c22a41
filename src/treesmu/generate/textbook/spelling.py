"""Spellings of one equation: people write 1/x and x - 1 where identities have x^(-1) and -1 + x, and terms in any order."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from treesmu.expr import Expr, leaf, node, op
from treesmu.expr.node import missing_from
from treesmu.expr.ops import ADD, MUL, POW

_ZERO, _ONE, _MINUS_ONE, _E = (leaf(token) for token in ("0", "1", "-1", "e"))
_EXP = op("exp")
_SWAPPED, _TYPED = 0.2, 0.5  # how often terms and factors change places, and reciprocals and differences are typed

PlainMemo = dict[Expr, Expr]


def respell(e: Expr, rng: Random) -> Expr:
    """Return the equation with some terms and factors in another order, and some reciprocals and differences as typed."""
    done: dict[Expr, Expr] = {}
    for part in e.subexpressions():
        if part.op is None:
            done[part] = part
            continue
        children = [done[c] for c in part.children]
        if part.op is not MUL:
            children = [node(MUL, _ONE, c) if _is_reciprocal(c) and rng.random() < _TYPED else c for c in children]
        done[part] = _reordered(node(part.op, *children), rng)
    return done[e]


def _reordered(e: Expr, rng: Random) -> Expr:
    if e.op not in (ADD, MUL):
        return e
    first, second = e.children
    if e.op is ADD and (number := first.number) is not None and number < 0 and rng.random() < _TYPED:
        return node(ADD, second, node(MUL, _MINUS_ONE, leaf(str(-number))))
    is_written_last = _is_reciprocal(second) or (second.op is MUL and second.left is _MINUS_ONE) or first is _MINUS_ONE
    return node(e.op, second, first) if not is_written_last and rng.random() < _SWAPPED else e


def _is_reciprocal(e: Expr) -> bool:
    return e.op is POW and e.right is _MINUS_ONE


def plain_spelling(e: Expr, memo: PlainMemo) -> Expr:
    """Return one spelling for all: without factors 1 and terms 0, with a sign once per product, and no negative numbers.

    The order of terms and factors is left to fingerprints. Equations with common parts can share the memo.
    """
    for part in missing_from(memo, e):
        memo[part] = _plain(part, [memo[c] for c in part.children])
    return memo[e]


def _plain(e: Expr, children: list[Expr]) -> Expr:
    """Return the plain spelling of an expression whose children are spelled plainly."""
    if e.op is None:
        return _plain_number(e.number) if e.number is not None and not e.is_decimal else e
    if e.op is MUL:
        return _product(children)
    if e.op is ADD:
        kept = [c for c in children if c is not _ZERO]
        return node(ADD, *kept) if len(kept) == 2 else (kept or [_ZERO])[0]
    if e.op is POW:
        return _power(children[0], children[1] if e.right.op is not None else e.right)
    return node(e.op, *children)


def _plain_number(number: Fraction) -> Expr:
    """Return a number without a sign and a bar: -3/4 is -1*3*4^(-1)."""
    factors = [_MINUS_ONE] if number < 0 else []
    factors += [leaf(str(abs(number.numerator)))]
    if number.denominator != 1:
        factors += [node(POW, leaf(str(number.denominator)), _MINUS_ONE)]
    return _product(factors)


def _product(parts: list[Expr]) -> Expr:
    """Return the product without factors 1, with -1 as a factor at most once."""
    waiting, factors, is_negative = list(reversed(parts)), [], False
    while waiting:
        part = waiting.pop()
        if part.op is MUL:
            waiting += reversed(part.children)
        elif part is _MINUS_ONE:
            is_negative = not is_negative
        elif part is not _ONE:
            factors.append(part)
    if is_negative:
        factors.insert(0, _MINUS_ONE)
    found = factors.pop() if factors else _ONE
    while factors:
        found = node(MUL, factors.pop(), found)
    return found


def _power(base: Expr, exponent: Expr) -> Expr:
    """Return a power; 1/x^2 is x^(-2), e^x is exp(x), x^1 is x. exponent: plain, but a number as it is."""
    if base is _E and exponent.number is None:
        return node(_EXP, exponent)
    if exponent is _MINUS_ONE and base.op is POW and (number := base.right.number) is not None:
        base, exponent = base.left, leaf(str(-number))
    return base if exponent is _ONE else node(POW, base, exponent)
