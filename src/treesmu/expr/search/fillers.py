"""Find the fillers of a blank that make an equation correct, by their values, up to height 2.

If there is one, it is found, provided that float64 can compare the sides: in sin(cos(_)) = sin(cos(exp(exp(3)))) it has too
few correct digits. All fillers go up the path from the blank to the root numerically, at one point after the other. A filler
is out at the first point at which the sides clearly differ; where they are undefined or the digits do not suffice, the next
point decides. The numeric check gives its verdict on what is left, one filler of each value, the simplest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..node import TreePath
from ..numeric.compare import DIFFERENT, EQUAL
from ..numeric.value_hashes import value_hashes, without_rounding_errors
from ..numeric.values import ValueTable
from ..numeric.verdict import UNSETTLED, Checker, Verdict
from ..ops import Array, Op
from ..tree import Expr
from .blank_path import BlankPath
from .pool import POINTS, FillerPool, Rows, make_pool

MOST_POINTS = 32  # at which fillers are compared
ENOUGH = 2  # points at which a filler must fit
FEW = 12  # points that are too few to tell values apart
ALL = 1 << 30
MOST_ROWS = (ALL, ALL, 100_000)  # fillers, the simplest ones, that are kept after each point: nearly all of them fit 0*_ = 0
MOST_FITTING = 3_000  # fillers, the simplest ones, that are made and grouped by value
MOST_CHECKED = 300  # values on which the numeric check gives a verdict
MOST_UNSETTLED = 8  # of these, how many need mpmath, which takes long
CHUNK = 24  # values that are checked together
RELATIVE, ABSOLUTE = 1e-9, 1e-12  # differences of values that count as equal
_BLOCK = 1 << 17
_LARGER = 1 << 10  # than the size of any filler


@dataclass(frozen=True)
class FoundFillers:
    """Fillers of one value that make the equation correct, the simplest first, and the verdict on the first."""

    fillers: tuple[Expr, ...]
    verdict: Verdict


def find_fillers(
    question: Expr,
    path: TreePath,
    leaves: Sequence[Expr],
    functions: Sequence[Op],
    numbers: Sequence[Expr] = (),
    height: int = 2,
    most: int = 5,
    most_rows: tuple[int, ...] = MOST_ROWS,
) -> list[FoundFillers]:
    """Return fillers that make an equation correct, at most ``most`` different values, the simplest first.

    question: an equation with a blank at ``path``. leaves, functions: what fillers are made of; numbers: further leaves, for
    fillers of height 0 and 1 and directly below the first function of those of height 2. most_rows: how many fillers are kept
    after the first point, the second, ... (the last number: after every further one), those that fit first, then the simplest
    that have no value there.
    """
    pool = make_pool(tuple(leaves), tuple(numbers), tuple(functions), height)
    with np.errstate(all="ignore"):
        blank = BlankPath(question, path, ValueTable(POINTS))
        rows = _fitting_rows(pool, blank, bool(question.variables()), most_rows)
    order = np.argsort(pool.size(rows), kind="stable")[:MOST_FITTING]
    fillers = [pool.expression(*row) for row in zip(*(column[order].tolist() for column in rows), strict=True)]
    values = without_rounding_errors(ValueTable(POINTS).values(fillers))  # (fillers, points)
    if len(blank.points) >= FEW:  # what fillers do where the rest of the equation has no value does not matter
        values = values[:, blank.points]
    return _verified(question, path, fillers, values, most)


def _fitting_rows(pool: FillerPool, path: BlankPath, has_variables: bool, most_rows: tuple[int, ...]) -> Rows:
    """Return the fillers that fit at enough points and clearly differ at none."""
    rows = Rows(*(np.empty(0, int),) * 3)
    equal = np.empty(0, int)  # (rows,) number of points at which each filler fits
    points = path.points[: MOST_POINTS if has_variables else 1]
    for number, point in enumerate(points):
        if number == 0:
            rows, equal = _compare_all(pool, path, point)
        else:
            rows, equal = _compare_rest(pool, path, point, rows, equal)
        most = most_rows[min(number, len(most_rows) - 1)]
        if len(rows) > most:
            fits_nowhere = np.where(equal == 0, _LARGER, 0)
            keep = np.argsort((pool.size(rows) + fits_nowhere).astype(np.int16), kind="stable")[:most]  # counted, not compared
            rows, equal = rows.take(keep), equal[keep]
    return rows.take(equal >= min(ENOUGH, len(points)) if points else equal > 0)


def _compare_all(pool: FillerPool, path: BlankPath, point: int) -> tuple[Rows, Array]:
    kept = [_keep(rows, path.compare(values, point)) for rows, values in pool.blocks(point)]
    rows, equal = Rows.join([rows for rows, _ in kept]), np.concatenate([equal for _, equal in kept])
    has_value = pool.has_value(rows, point)
    return rows.take(has_value), equal[has_value]


def _compare_rest(pool: FillerPool, path: BlankPath, point: int, rows: Rows, equal: Array) -> tuple[Rows, Array]:
    kept = []
    for start in range(0, len(rows), _BLOCK):
        some = rows.take(slice(start, start + _BLOCK))
        kept.append(_keep(some, path.compare(pool.values_of(some, point), point), equal[start : start + _BLOCK]))
    return (Rows.join([rows for rows, _ in kept]), np.concatenate([e for _, e in kept])) if kept else (rows, equal)


def _keep(rows: Rows, status: Array, equal: Array | int = 0) -> tuple[Rows, Array]:
    """Return the rows that do not differ at a point, and at how many points each fits so far."""
    keep = status != DIFFERENT
    return rows.take(keep), (equal + (status == EQUAL))[keep]


def _verified(question: Expr, path: TreePath, fillers: list[Expr], values: Array, most: int) -> list[FoundFillers]:
    """Return the fillers that the numeric check confirms, grouped by value. values: (fillers, points)"""
    groups: dict[int, list[int]] = {}
    for i, value in enumerate(value_hashes(values).tolist()):
        groups.setdefault(value, []).append(i)
    candidates = [sorted(group, key=lambda i: simplicity(fillers[i])) for group in list(groups.values())[:MOST_CHECKED]]
    correct: list[tuple[list[int], Verdict]] = []
    checker, unsettled = Checker(), 0
    for start in range(0, len(candidates), CHUNK):
        some = candidates[start : start + CHUNK]
        filled = [question.replace(path, fillers[group[0]]) for group in some]
        for group, e, label in zip(some, filled, checker.labels(filled).tolist(), strict=True):
            unsettled += label == UNSETTLED
            if label == 1 or (label == UNSETTLED and unsettled <= MOST_UNSETTLED):
                correct += [(group, verdict) for verdict in checker.check([e]) if verdict.label == "correct"]
        if len(correct) >= 3 * most:  # some may be parts of others
            break
    widest = _widest(values[[group[0] for group, _ in correct]])
    found = [FoundFillers(tuple(fillers[i] for i in correct[k][0]), correct[k][1]) for k in widest]
    return found[:most]


def simplicity(e: Expr) -> tuple[int, int]:
    """Return what simpler expressions have less of: nodes, then letters, so that cos(x)^2 comes before sec(x)^-2."""
    return e.size, len(str(e))


def _widest(values: Array) -> list[int]:
    """Return the rows that no other row equals where they are defined: exp(ln(x)) beside x is no answer of its own."""
    is_defined = ~np.isnan(values)
    count, number = is_defined.sum(axis=1), np.arange(len(values))
    found = []
    for i, row in enumerate(values):
        is_equal = ((np.abs(values - row) <= RELATIVE * np.abs(row) + ABSOLUTE) | ~is_defined[i]).all(axis=1)
        is_better = (count > count[i]) | ((count == count[i]) & (number < i))
        if not (is_equal & is_better).any():
            found.append(i)
    return found
