"""Candidates for a blank, and their classes: those of one class have the same value everywhere.

The same real domain up to isolated points, and equal values in it. So ``x^0`` is with ``1`` and ``log(1, x)`` with ``0^x``, but
``log(x, x)`` is not with ``1``: a negative x gives it no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from ..ops import FUNCTIONS, Array, Op
from ..tree import Expr, equation, node
from .values import SamplePoints, ValueTable, constant_value
from .verdict import check_many

FILLER_LEAVES = tuple(
    "x y z w 0 1 2 3 4 5 10 -1 -2 -3 1/2 -1/2 1/3 pi e".split()
)  # the common ones, of which candidates are made

_POINTS = SamplePoints(
    seed=0, count=96
)  # near ones only: nothing of height 1 overflows there, so what is not a number is undefined
_CLOSE = 1e-9  # relative; of a function of leaves float64 knows more digits than that


def enumerate_fillers(leaves: Iterable[Expr], functions: Iterable[Op] = FUNCTIONS) -> list[Expr]:
    """Every leaf, every unary function of a leaf, every binary function of two leaves."""
    leaves = list(leaves)
    by_arity = sorted(functions, key=lambda f: f.arity)
    return leaves + [node(f, *arguments) for f in by_arity for arguments in product(leaves, repeat=f.arity)]


def is_undefined(e: Expr) -> bool:
    """Whether it plainly has no real value: some function in it is of numbers outside its domain, as in acos(10) + x.

    No equation with it is correct, which the check takes long to find out.
    """
    with np.errstate(all="ignore"):
        return any(
            part.op is not None
            and part.depth == 1
            and part.is_constant
            and not part.op.domain(*(np.float64(constant_value(leaf)) for leaf in part.children))
            for part in e.subexpressions()
        )


def equal_classes(found: Sequence[Expr]) -> list[int]:
    """The class of each expression, numbered by first occurrence.

    What looks alike at the points is confirmed by the check; what has no value is alone.
    """
    values = _values(found)
    first = list(range(len(found)))  # of its class
    pool = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
    while pool:  # the second time round only what looked alike and is not
        alike = _alike(values, pool)
        verdicts = check_many([equation(found[leader], found[i]) for i, leader in alike.items()])
        equal = {i for i, verdict in zip(alike, verdicts, strict=True) if verdict.label == "correct"}
        for i in equal:
            first[i] = alike[i]
        pool = [i for i in alike if i not in equal]
    numbers: dict[int, int] = {}
    return [numbers.setdefault(i, len(numbers)) for i in first]


def _values(found: Sequence[Expr]) -> Array:
    """Values at the points, NaN where undefined, 0 where there is nothing but rounding, as in sin(pi). (expressions, points)"""
    seen = ValueTable(_POINTS).values(found)
    error = np.abs(seen.plain - seen.disturbed)
    values = np.where(np.abs(seen.plain) <= 8 * error, 0.0, seen.plain)
    return np.where(np.isnan(error), np.nan, values)


def _alike(values: Array, pool: Sequence[int]) -> dict[int, int]:
    """Of the rows in the pool, those like an earlier one, with the first such. Compared, not rounded: no equals are parted."""
    leaders: list[int] = []
    alike: dict[int, int] = {}
    table = np.empty((len(pool), values.shape[1]))  # the rows of the leaders
    for i in pool:
        mine, theirs = values[i], table[: len(leaders)]
        same = (np.abs(theirs - mine) <= _CLOSE * np.abs(mine)) | (np.isnan(theirs) & np.isnan(mine))
        matches = np.flatnonzero(same.all(axis=1))
        if len(matches):
            alike[i] = leaders[matches[0]]
        else:
            table[len(leaders)] = mine
            leaders.append(i)
    return alike
