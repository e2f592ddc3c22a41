"""Numeric equations: functions of decimals (sin(2.5) = 0.598, to the digits shown) and special values (sin(pi/2) = 1)."""

from __future__ import annotations

from random import Random

from treesmu.expr import FUNCTIONS, Expr, Op, check_many, equation, leaf, node
from treesmu.expr.numeric import precise

from .axioms import Axiom, functions_of
from .columns import CheckedEquation, EquationColumns, make_columns


def numeric_rows(rng: Random, count: int, axioms: tuple[Axiom, ...], depths: tuple[int, int]) -> EquationColumns:
    """Return up to ``count`` numeric equations, about half of them correct; 3/4 with decimals, 1/4 special values."""
    special = [a.equation for a in axioms if a.equation.is_constant]
    functions = [f for f in FUNCTIONS if f in functions_of(axioms)]
    proposed = [
        _special(rng, special) if special and rng.random() < 0.25 else _with_decimals(rng, functions) for _ in range(count)
    ]
    found = [e for e in proposed if e is not None and depths[0] <= e.depth <= depths[1]]
    verdicts = check_many(found)
    decided = [(e, int(v.label == "correct")) for e, v in zip(found, verdicts, strict=True) if v.label != "undecided"]
    checked = [CheckedEquation(e, label, i, "numeric") for i, (e, label) in enumerate(decided)]
    return make_columns(checked, first_occurrence=False)


def _with_decimals(rng: Random, functions: list[Op]) -> Expr | None:
    """Return f(a) = b with b rounded to 2 or 3 digits, or wrong in the last but one digit."""
    function = rng.choice(functions)
    if function.arity == 1:
        side = node(function, _decimal(rng.uniform(-4, 4), rng.choice((1, 2))))
    else:
        side = node(function, _decimal(rng.uniform(0.1, 4), 1), _decimal(rng.uniform(-3, 3), 1))
    values = precise.sides_at(equation(side, side), {})
    if values is None or not 0.01 < abs(values[0]) < 1000:
        return None
    digits = rng.choice((2, 3))
    slip = rng.choice((-3, -2, -1, 1, 2, 3)) * 10.0 ** (1 - digits) if rng.random() < 0.5 else 0.0
    return equation(side, _decimal(values[0] + slip, digits))


def _special(rng: Random, special: list[Expr]) -> Expr:
    """Return a special value, or the left side of one with the right side of another."""
    e = rng.choice(special)
    return e if rng.random() < 0.5 else equation(e.left, rng.choice(special).right)


def _decimal(value: float, digits: int) -> Expr:
    text = f"{value:.{digits}f}"
    return leaf(text if float(text) else text.lstrip("-"))
