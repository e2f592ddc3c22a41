"""Make textbook equations of depth 1-4: identities of variables, small multiples and small numbers, and slips of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from treesmu.expr import VARIABLES, Expr, Op, distinct, equation, leaf, parse
from treesmu.expr.numeric.verdict import Checker

from ..axioms import Axiom, functions_of
from ..columns import CheckedEquation, EquationColumns, make_columns
from ..fingerprint import MAX_VARIABLES
from ..rewrite import builder
from .slips import slip
from .spelling import respell
from .templates import Template, read_templates

DEEPEST = 4
_OWN = 0.65  # share of identities.txt among the identities; the others are the short ones of the families
_WRITTEN = 0.5  # share of slips.txt among the slips; the others are slips in identities
_PLAIN = 0.45  # how often all variables stay variables
_LEAVES = [leaf(v) for v in VARIABLES[:MAX_VARIABLES]]
_NUMBERS = [leaf(t) for t in "1 2 3 4 5 -1 -2 1/2 pi".split()]
_X, _Y = _LEAVES[:2]
_MULTIPLES, _OTHERS = (
    [builder(parse(text), {_X: 0, _Y: 1}) for text in texts.split(";")]
    for texts in (
        "2*x; 3*x; 4*x; 5*x; -x; -2*x; x/2; x/3; 2*x/3",
        "x^2; x + 1; x - 1; x + y; x - y; x*y; x/y; x^3; x + 2; x + pi",
    )
)


@dataclass(frozen=True)
class _Book:
    """The identities and slips with the functions of some families."""

    functions: frozenset[Op]
    identities: list[list[Template]]  # one list per line
    slips: list[list[Template]]
    axioms: list[Expr]

    def draw(self, rng: Random) -> Expr | None:
        """Return an identity with small expressions for its variables, in a random spelling; None if numbers do not fit."""
        if self.axioms and rng.random() > _OWN:
            return _instance(rng.choice(self.axioms), rng)
        e = rng.choice(rng.choice(self.identities)).draw(rng)
        return None if e is None else _instance(e, rng)

    def draw_slip(self, rng: Random) -> Expr | None:
        """Return a slip, in an identity or one that people write."""
        if rng.random() > _WRITTEN:
            e = self.draw(rng)
            return None if e is None else slip(e, rng)
        e = rng.choice(rng.choice(self.slips)).draw(rng)
        return None if e is None else _instance(e, rng)


def textbook_rows(
    rng: Random, count: int, axioms: tuple[Axiom, ...], depths: tuple[int, int], first_occurrence: bool = False
) -> EquationColumns:
    """Return up to ``count`` textbook equations of these depths, about half of them slips (of the kind ``slip``)."""
    book = _book(axioms)
    proposed = [(book.draw(rng), "rewrite") for _ in range(count // 2)]
    proposed += [(book.draw_slip(rng), "slip") for _ in range(count - count // 2)]
    lowest, highest = depths[0], min(depths[1], DEEPEST)
    fitting = [
        (e, kind)
        for e, kind in proposed
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


def _with_functions(name: str, functions: frozenset[Op]) -> list[list[Template]]:
    lines = ([t for t in line if _functions(t.equation) <= functions] for line in read_templates(name))
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
    return respell(e, rng).canonical()


def _value(plain: Expr, variables: list[Expr], rng: Random) -> Expr:
    draw = rng.random()
    if draw < 0.5:
        return plain
    if draw < 0.6:
        return rng.choice(_NUMBERS)
    return rng.choice(_MULTIPLES if draw < 0.85 else _OTHERS)([plain, rng.choice(variables)])
