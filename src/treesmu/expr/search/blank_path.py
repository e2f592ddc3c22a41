"""BlankPath: the functions from a blank up to the root, through which the values of fillers go, at one point at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..node import TreePath
from ..numeric.compare import compare_values
from ..numeric.rounding import NOISE
from ..numeric.values import ValueTable
from ..ops import Array, Op
from ..tree import Expr
from .paired_values import apply


class Step(NamedTuple):
    """A function on the path, and the values of its argument beside the path."""

    function: Op
    place: int  # of the argument on the path
    beside: Array | None  # (2, points); None for a function of one argument


class BlankPath:
    """What an equation does to the value of its blank, and what it compares the result with."""

    def __init__(self, question: Expr, path: TreePath, table: ValueTable) -> None:
        """question: an equation with a blank at ``path``; table: computes the values of its known parts at its points."""
        side, *below = path
        parts, known = [question.children[side]], [question.children[1 - side]]
        for place in below:
            known += [child for k, child in enumerate(parts[-1].children) if k != place]
            parts.append(parts[-1].children[place])
        values = table.values(known)
        paired = np.stack([values.plain, values.disturbed])  # (2, known, points)
        row = {e: i for i, e in enumerate(known)}
        self.target = paired[:, 0]
        self.steps = [_step(e, place, row, paired) for e, place in zip(reversed(parts[:-1]), reversed(below), strict=True)]
        self.tolerance = _tolerance(question, known[0])
        self.points = _usable_points(paired, values.has_lost_digits)

    def compare(self, values: Array, point: int) -> Array:
        """Return the outcome for fillers with these values at a point, (2, n), as in ``compare_values``. (n,)"""
        for number, step in enumerate(self.steps):
            arguments = [values]
            if step.beside is not None:
                arguments.insert(1 - step.place, step.beside[:, point, None])
            values = apply(step.function, *arguments, noise=NOISE / (1 + number % 3))
        target = self.target[:, point, None]
        return compare_values(
            values[0], target[0], np.abs(values[0] - values[1]), np.abs(target[0] - target[1]), self.tolerance
        )


def _step(e: Expr, place: int, row: dict[Expr, int], paired: Array) -> Step:
    assert e.op is not None
    beside = None if len(e.children) == 1 else paired[:, row[e.children[1 - place]]]
    return Step(e.op, place, beside)


def _tolerance(question: Expr, target: Expr) -> float:
    """Return half a unit of the last digit if an equation without variables has a decimal as its other side, else 0."""
    if question.variables() or not target.is_decimal:
        return 0.0
    return 0.5 * 10.0 ** -len(target.token.partition(".")[2])


def _usable_points(paired: Array, has_lost_digits: Array) -> list[int]:
    """Return the points at which all known parts are defined, those with small rounding errors first."""
    size, error = np.abs(paired[0]), np.abs(paired[0] - paired[1])  # (known, points)
    is_defined = ~np.isnan(error).any(axis=0)
    is_bad = (has_lost_digits | (error > 1e-10 * size) & (error > 1e-10)).any(axis=0)
    return [*np.flatnonzero(is_defined & ~is_bad).tolist(), *np.flatnonzero(is_defined & is_bad).tolist()]
