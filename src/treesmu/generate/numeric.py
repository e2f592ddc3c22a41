"""Numeric equations: functions evaluated with decimals (sin(2.5) = 0.598, to the digits shown) and exactly (sin(pi/2) = 1)."""

from __future__ import annotations

from random import Random

from ..expr import FUNCTIONS, Expr, check_many, equation, leaf, node, precise
from ..expr.ops import ADD, LOG, MUL, POW
from .axioms import FAMILIES, axioms_of
from .shard import Rows, rows_of

_UNARY = [f for f in FUNCTIONS if f.arity == 1]
_BINARY = (ADD, MUL, POW, LOG)


def numeric_rows(rng: Random, count: int) -> Rows:
    """Numeric equations, about half of them correct; three in four with decimals, the rest exact special values."""
    special = [a.equation for f in FAMILIES for a in axioms_of(f) if a.equation.is_constant]
    found: list[Expr] = []
    while len(found) < count:
        e = _with_decimals(rng) if rng.random() < 0.75 else _special(rng, special)
        if e is not None:
            found.append(e)
    verdicts = check_many(found)
    by_label: dict[tuple[int, str], list[Expr]] = {}
    for e, v in zip(found, verdicts, strict=True):
        by_label.setdefault((e.depth, v.label), []).append(e)
    chosen: list[tuple[Expr, int]] = []
    for depth in sorted({e.depth for e in found}):  # as many of each label at each depth
        correct, incorrect = (by_label.get((depth, label), []) for label in ("correct", "incorrect"))
        pairs = list(zip(dict.fromkeys(correct), dict.fromkeys(incorrect), strict=False))
        chosen += [(e, 1) for e, _ in pairs] + [(e, 0) for _, e in pairs]
    return rows_of([(e, label, i, "numeric") for i, (e, label) in enumerate(chosen)], first_occurrence=False)


def _with_decimals(rng: Random) -> Expr | None:
    """f(a) = b with b rounded to some digits, or off by some of the last ones."""
    if rng.random() < 0.7:
        side = node(rng.choice(_UNARY), _decimal(rng.uniform(-4, 4), rng.choice((1, 2))))
    else:
        side = node(rng.choice(_BINARY), _decimal(rng.uniform(0.1, 4), 1), _decimal(rng.uniform(-3, 3), 1))
    values = precise.sides(equation(side, side), {})
    if values is None or not 0.01 < abs(values[0]) < 1000:
        return None
    digits = rng.choice((2, 3))
    slip = rng.choice((-3, -2, -1, 1, 2, 3)) * 10.0 ** (1 - digits) if rng.random() < 0.5 else 0.0
    return equation(side, _decimal(values[0] + slip, digits))


def _special(rng: Random, special: list[Expr]) -> Expr:
    """A known value, or the left side of one with the right side of another."""
    e = rng.choice(special)
    return e if rng.random() < 0.5 else equation(e.left, rng.choice(special).right)


def _decimal(value: float, digits: int) -> Expr:
    text = f"{value:.{digits}f}"
    return leaf(text if float(text) else text.lstrip("-"))
