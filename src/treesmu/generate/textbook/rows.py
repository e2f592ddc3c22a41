"""Make textbook equations of depth 1-4: identities of variables, small multiples and small numbers, and slips of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from treesmu.expr import VARIABLES, Expr, Op, distinct, equation, leaf
from treesmu.expr.numeric.verdict import Checker

from ..axioms import Axiom, functions_of
from ..columns import CheckedEquation, EquationColumns, make_columns
from ..fingerprint import MAX_VARIABLES
from ..rewrite import Builder, builder
from .slips import slip
from .spelling import respell
from .templates import read_template, read_templates

DEEPEST = 4
_OWN = 0.65  # share of identities.txt among the identities; the others are the short ones of the families
_WRITTEN = 0.5  # share of slips.txt among the slips; the others are slips in identities
_PLAIN = 0.25  # how often all variables stay variables
_LEAVES = [leaf(v) for v in VARIABLES[:MAX_VARIABLES]]
_NUMBERS = [leaf(t) for t in "1 2 3 4 5 -1 -2 1/2 pi".split()]
_X, _Y = _LEAVES[:2]
_MULTIPLES = "m*x; -x; -m*x; x/m; pi*x; m*x/n".split(";")  # in place of a variable; m and n are whole numbers
_OTHERS = "x + 1; x - 1; x + m; x - m; m - x; m*x + n; m*x - n; x^m; x + y; x - y; x*y; x/y; m*x + y; m*x*y; x + pi".split(";")


@dataclass(frozen=True)
class _Book:
    """The identities and slips with the functions of some families."""

    functions: frozenset[Op]
    identities: list[list[Expr]]  # one list per line, with all numbers and functions
    slips: list[list[Expr]]
    axioms: list[Expr]

    def draw(self, rng: Random) -> Expr:
        """Return an identity with small expressions for its variables, in a random spelling."""
        if self.axioms and rng.random() > _OWN:
            return _instance(rng.choice(self.axioms), rng)
        return _instance(rng.choice(rng.choice(self.identities)), rng)

    def draw_slip(self, rng: Random) -> Expr | None:
        """Return a slip, in an identity or one that people write."""
        if rng.random() > _WRITTEN:
            return slip(self.draw(rng), rng)
        return _instance(rng.choice(rng.choice(self.slips)), rng)


def textbook_rows(
    rng: Random, count: int, axioms: tuple[Axiom, ...], depths: tuple[int, int], first_occurrence: bool = False
) -> EquationColumns:
    """Return up to ``count`` textbook equations of these depths, about half of them slips (of the kind ``slip``)."""
    book = _book(axioms)
    proposed: list[tuple[Expr | None, str]] = [(book.draw(rng), "rewrite") for _ in range(count // 2)]
    proposed += [(book.draw_slip(rng), "slip") for _ in range(count - count // 2)]
    lowest, highest = depths[0], min(depths[1], DEEPEST)
    fitting = [
        (e, kind)
        for e, kind in dict.fromkeys(proposed)
        if e is not None and lowest <= e.depth <= highest and e.left is not e.right and _functions(e) <= book.functions
    ]
    checker = _checker()
    checker.clear()
    labels = checker.labels([e for e, _ in fitting]).tolist()
    right = {"rewrite": 1, "slip": 0}  # an identity can be false on a part of the line, a slip can be true
    checked = [
        CheckedEquation(e, label, i, kind)
        for i, ((e, kind), label) in enumerate(zip(fitting, labels, strict=True))
        if label == right[kind]
    ]
    return make_columns(checked, first_occurrence)


@cache
def _checker() -> Checker:
    return Checker()


@cache
def _book(axioms: tuple[Axiom, ...]) -> _Book:
    functions = functions_of(axioms)
    identities, slips = (_with_functions(name, functions) for name in ("identities.txt", "slips.txt"))
    short = [a.equation for a in axioms if not a.is_padding and a.equation.depth <= DEEPEST]
    return _Book(functions, identities, slips, short)


def _with_functions(name: str, functions: frozenset[Op]) -> list[list[Expr]]:
    lines = ([e for t in line if _functions(t.equation) <= functions for e in t.all()] for line in read_templates(name))
    return [line for line in lines if line]


def _functions(e: Expr) -> set[Op]:
    return {part.op for part in distinct(e.children) if part.op is not None}


def _instance(e: Expr, rng: Random) -> Expr:
    """Return an equation with variables, small multiples, numbers or small expressions for its variables."""
    if rng.random() < 0.5:
        e = equation(e.right, e.left)
    variables = e.variables()
    if rng.random() > _PLAIN:
        few = _LEAVES[: max(1, min(len(variables), MAX_VARIABLES))]
        e = e.substitute({v: _value(plain, few, rng) for v, plain in zip(variables, _LEAVES, strict=False)})
    e = respell(e, rng)
    return e if all(v is name for v, name in zip(e.variables(), _LEAVES, strict=False)) else e.canonical()


def _value(plain: Expr, variables: list[Expr], rng: Random) -> Expr:
    draw = rng.random()
    if draw < 0.5:
        return plain
    if draw < 0.6:
        return rng.choice(_NUMBERS)
    multiples, others = _small_expressions()
    return rng.choice(rng.choice(multiples if draw < 0.85 else others))([plain, rng.choice(variables)])


@cache
def _small_expressions() -> list[list[list[Builder]]]:
    """Return what makes multiples and other small expressions from two variables, one list for each way to write them."""
    names = {_X: 0, _Y: 1}
    return [
        [[builder(e, names) for e in read_template(text.strip()).all()] for text in texts] for texts in (_MULTIPLES, _OTHERS)
    ]
