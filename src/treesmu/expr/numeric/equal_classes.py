"""Fillers of a blank, and their equal classes: fillers of one class have the same value everywhere.

This is the second of the library's three definitions of "equal" (the others: the verdict in
:mod:`~treesmu.expr.numeric.verdict`, and the value codes of :mod:`treesmu.data.augment.node_values`). Two fillers are in one
class if they have the same real domain up to isolated points, and equal values in it: ``x^0`` and ``1`` are in one class,
and so are ``log(1, x)`` and ``0^x``; ``log(x, x)`` and ``1`` are not, because the former has no value for a negative x. The
verdict alone compares only where both sides are defined, so it is not transitive and gives no classes; ranking needs
classes, because a model that proposes ``x + x`` instead of the answer ``2*x`` is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from ..ops import FUNCTIONS, Array, Op
from ..tree import Expr, equation, node
from .rounding import constant_value
from .sample_points import SamplePoints
from .value_hashes import without_rounding_errors
from .values import ValueTable
from .verdict import check_many

FILLER_LEAVES = tuple("x y z w 0 1 2 3 4 5 10 -1 -2 -3 1/2 -1/2 1/3 pi e".split())  # common ones, for lists of candidates

# Only points near 0: no function of leaves overflows there, so a value that is not a number is undefined.
_POINTS = SamplePoints(seed=0, count=96)
_RELATIVE_TOLERANCE = 1e-9  # float64 is more precise than that for a function of leaves
_COMPARED_FIRST = 6  # points: most expressions differ at one of them


def enumerate_fillers(leaves: Iterable[Expr], functions: Iterable[Op] = FUNCTIONS) -> list[Expr]:
    """Return every leaf, every unary function of a leaf and every binary function of two leaves."""
    leaves = list(leaves)
    by_arity = sorted(functions, key=lambda f: f.arity)
    return leaves + [node(f, *arguments) for f in by_arity for arguments in product(leaves, repeat=f.arity)]


def is_undefined(e: Expr) -> bool:
    """Return whether a function in an expression has constants outside its domain, as in acos(10) + x.

    Such an expression has no real value, and no equation that contains it is correct; the check takes long to find that out.
    """
    with np.errstate(all="ignore"):
        return any(
            part.op is not None
            and part.depth == 1
            and part.is_constant
            and not part.op.domain(*(np.float64(constant_value(leaf)) for leaf in part.children))
            for part in e.subexpressions()
        )


def equal_classes(expressions: Sequence[Expr]) -> list[int]:
    """Return the class of each expression, numbered by first occurrence.

    The numeric check decides about expressions with close values; an expression without any value is alone in its class.
    """
    values = _values(expressions)
    first = list(range(len(expressions)))  # for each expression the first one of its class
    pool = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
    while pool:  # in later rounds only expressions with close values that are not equal to their match
        matches = _match_close(values, pool)
        verdicts = check_many([equation(expressions[leader], expressions[i]) for i, leader in matches.items()])
        equal = {i for i, verdict in zip(matches, verdicts, strict=True) if verdict.label == "correct"}
        for i in equal:
            first[i] = matches[i]
        pool = [i for i in matches if i not in equal]
    numbers: dict[int, int] = {}
    return [numbers.setdefault(i, len(numbers)) for i in first]


def _values(expressions: Sequence[Expr]) -> Array:
    """Return values at the points: NaN where undefined, 0 where only a rounding error is left. (expressions, points)"""
    return without_rounding_errors(ValueTable(_POINTS).values(expressions))


def _match_close(values: Array, pool: Sequence[int]) -> dict[int, int]:
    """Return for each row of the pool that is close to an earlier one the first such row.

    Values are compared, not rounded: rounding would separate equal values on both sides of a boundary.
    """
    leaders: list[int] = []
    matches: dict[int, int] = {}
    table = np.empty((len(pool), values.shape[1]))  # the rows of the leaders
    for i in pool:
        row, others = values[i], table[: len(leaders)]
        near = np.flatnonzero(_is_close(others[:, :_COMPARED_FIRST], row[:_COMPARED_FIRST]))
        found = near[_is_close(others[near], row)]
        if len(found):
            matches[i] = leaders[found[0]]
        else:
            table[len(leaders)] = row
            leaders.append(i)
    return matches


def _is_close(others: Array, row: Array) -> Array:
    """Return for each of the other rows whether it is close to this row, or undefined where this row is."""
    is_close = (np.abs(others - row) <= _RELATIVE_TOLERANCE * np.abs(row)) | (np.isnan(others) & np.isnan(row))
    found: Array = is_close.all(axis=1)
    return found
