"""Slips: the small mistakes that people make in a line of algebra, at a node of a correct equation.

Some are rules, lines of ``slips.txt`` that are applied to a node as an identity would be; the others are here. No slip is sure
to make an equation incorrect: the numeric check decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

from treesmu.expr import Expr, leaf, node, op
from treesmu.expr.ops import ADD, MUL, POW
from treesmu.expr.padding import count_padding

from ..axioms import Axiom
from ..rewrite import Bindings, RewriteIndex
from .templates import read_templates

_RULES = 0.4  # how often a rule is tried first
_TRIES = 6  # nodes that are tried
_ONE, _TWO, _MINUS_ONE = (leaf(token) for token in ("1", "2", "-1"))
_MISTAKEN = {  # functions that are taken for each other: the co-function, the neighbour in the table, the inverse
    **{"sin": "cos tan asin sinh", "cos": "sin sec acos cosh", "tan": "cot sin atan tanh", "cot": "tan cos", "sec": "csc cos"},
    **{"csc": "sec sin", "asin": "acos atan sin", "acos": "asin cos", "atan": "acot asin tan", "acot": "atan"},
    **{"asec": "acsc", "acsc": "asec", "sinh": "cosh tanh sin", "cosh": "sinh cos", "tanh": "coth sinh tan", "coth": "tanh"},
    **{"sech": "csch cosh", "csch": "sech sinh", "asinh": "acosh sinh", "acosh": "asinh", "atanh": "acoth tanh"},
    **{"acoth": "atanh", "asech": "acsch", "acsch": "asech"},
}


def slip(e: Expr, rng: Random) -> Expr | None:
    """Return the equation with a random slip at a random node; None if none was found."""
    places = [pair for pair in e.paths() if pair[0]]
    for _ in range(_TRIES):
        path, here = rng.choice(places)
        ways = (_by_rule, _by_hand) if rng.random() < _RULES else (_by_hand, _by_rule)
        changed = ways[0](here, e, rng) or ways[1](here, e, rng)
        if changed is not None and changed is not here:
            new = e.replace(path, changed)
            if count_padding(new, {}) <= count_padding(e, {}):  # nobody writes 1*x for 2*x
                return new
    return None


def _by_rule(e: Expr, _: Expr, rng: Random) -> Expr | None:
    """Return the other side of a rule that matches the expression; None if the one drawn does not."""
    rewrite = _rules().matching(e, growing=False).draw(rng) if e.op is not None else None
    if rewrite is None or rewrite.free:
        return None
    bound: Bindings = [None] * rewrite.slots
    return rewrite.build(bound) if rewrite.match(e, bound) else None


def _by_hand(e: Expr, whole: Expr, rng: Random) -> Expr | None:
    found = list(slips_at(e, whole))
    return rng.choice(found) if found else None


@cache
def _rules() -> RewriteIndex:
    """Return the lines of slips.txt without numbers, to be applied in each direction in which they make nothing deeper."""
    equations = [t.equation for line in read_templates("slips.txt") for t in line if not t.letters]
    sides = [pair for e in equations for pair in ((e.left, e.right), (e.right, e.left))]
    return RewriteIndex(
        Axiom(pattern, result, "slips", both_ways=False, is_padding=False)
        for pattern, result in sides
        if result.depth <= pattern.depth and not pattern.is_leaf
    )


def slips_at(e: Expr, whole: Expr) -> Iterator[Expr]:
    """Yield everything that may be written by mistake for a part of an equation, apart from the rules."""
    if e.op is ADD:
        yield from _of_sum(e)
    elif e.op is MUL:
        yield from _of_product(e)
    elif e.op is POW:
        yield from _of_power(e)
    elif e.op is not None:
        yield from _of_function(e)
    elif e.is_variable:
        yield from (v for v in whole.variables() if v is not e)
    elif (number := e.number) is not None:
        yield from _of_number(number)


def _of_sum(e: Expr) -> Iterator[Expr]:
    """A lost term, a wrong sign."""
    first, second = e.children
    yield first
    yield second
    is_difference = second.op is MUL and second.left is _MINUS_ONE
    yield node(ADD, first, second.right if is_difference else node(MUL, _MINUS_ONE, second))
    yield node(ADD, _negative(first), second)


def _of_product(e: Expr) -> Iterator[Expr]:
    """A dropped factor, a wrong sign, a quotient upside down or taken for a product, one term of a bracket multiplied."""
    first, second = e.children
    yield first
    yield second
    yield _negative(e)
    if second.op is POW and second.right is _MINUS_ONE:
        yield node(MUL, first, second.left)
        if first is not _ONE:
            yield node(MUL, second.left, node(POW, first, _MINUS_ONE))
    for factor, bracket in ((first, second), (second, first)):
        if bracket.op is ADD:
            yield node(ADD, node(MUL, factor, bracket.left), bracket.right)
            yield node(ADD, bracket.left, node(MUL, factor, bracket.right))


def _of_power(e: Expr) -> Iterator[Expr]:
    """A missing power, a power taken for a product, base and exponent swapped, a power of one factor only, term by term."""
    base, exponent = e.children
    yield base
    yield node(MUL, exponent, base)
    yield node(POW, exponent, base)
    if exponent.number is not None:
        yield node(POW, base, _negative(exponent))
    if base.op is MUL:
        yield node(MUL, base.left, node(POW, base.right, exponent))
    if base.op is ADD:
        yield node(ADD, *(node(POW, term, exponent) for term in base.children))
    if exponent.op is ADD:
        yield node(ADD, *(node(POW, base, term) for term in exponent.children))


def _of_function(e: Expr) -> Iterator[Expr]:
    """Another function, its reciprocal, a function term by term, a factor moved out, a square moved in."""
    assert e.op is not None
    inner, others = e.children[0], e.children[1:]
    if not others:
        yield from (node(op(name), inner) for name in _MISTAKEN.get(e.token, "").split())
    yield _negative(e)
    yield node(POW, e, _TWO)
    if inner.op in (ADD, MUL):
        yield node(inner.op, *(node(e.op, part, *others) for part in inner.children))
    if inner.op is MUL and inner.left.is_constant:
        yield node(MUL, inner.left, node(e.op, inner.right, *others))
        yield node(e.op, inner.right, *others)
    if inner.op is ADD:
        yield from (node(e.op, part, *others) for part in inner.children)
    if inner.op is POW:
        yield node(POW, node(e.op, inner.left, *others), inner.right)
    if others:  # the base of a logarithm
        yield node(e.op, others[0], inner)


def _of_number(number: Fraction) -> Iterator[Expr]:
    """Off by one, a wrong sign, doubled, upside down."""
    if number.denominator == 1:
        yield from (leaf(str(number + step)) for step in (-1, 1))
    if number:
        yield leaf(str(-number))
        yield leaf(str(2 * number))
        yield leaf(str(1 / number))


def _negative(e: Expr) -> Expr:
    """Return -e, with the sign at the first number of a product; where e has a sign, without it."""
    if e.op is MUL and e.left is _MINUS_ONE:
        return e.right
    if e.number is not None:
        return leaf(str(-e.number))
    if e.op is MUL and (e.left.op is MUL or e.left.number is not None):
        return node(MUL, _negative(e.left), e.right)
    return node(MUL, _MINUS_ONE, e)
