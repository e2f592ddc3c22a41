"""The numeric verdict on an equation: correct, incorrect or undecided.

*Correct*: at every real point where both sides are defined they are equal, and there are such points. *Incorrect*: they
differ at every such point except isolated ones. Equal on one part of the line and different on another is *undecided*. A
side is defined where each of its sub-expressions has a real principal value.

This is the strictest of the library's three definitions of "equal", and the only one that labels equations. The other two
are fast or coarse where that is enough: :func:`~treesmu.expr.numeric.equal_classes.equal_classes` groups fillers of a blank
for ranking (it also requires the same domain, and confirms with this check), and the value codes of
:mod:`treesmu.data.augment.node_values` compare rounded values at a few points, to find equal sub-expressions in a batch
while training.

There are four stages, each for the equations that the stage before could not settle:

1. Functions without branches: float64 at a few real points. Analytic functions that agree at random points agree
   everywhere, also off the real line, so complex points confirm it.
2. Roots, logarithms and inverse functions may agree on one part of the line only: float64 at many points in more ranges.
   The same for equations that are defined at few points.
3. Float64 at still more points, for equations with branches that could be compared at few points in the second stage.
4. mpmath at high precision, where float64 is unsure or finds both outcomes; and at one point where it calls sides equal
   of which it has few correct digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from numbers import Integral
from typing import Literal

import numpy as np

from treesmu.errors import DataError

from ..notation.parse import parse
from ..ops import Array
from ..tree import Expr
from . import precise
from .compare import DIFFERENT, EQUAL, UNDEFINED, UNSURE, Comparison, compare_sides, hold_at_complex_points, tolerance_of
from .reasons import note_on_names, why_undecided
from .sample_points import FAR_RANGES, SamplePoints
from .values import ValueTable

Label = Literal["correct", "incorrect", "undecided"]
MARKS: dict[Label, str] = {"correct": "✓", "incorrect": "✗", "undecided": "?"}

FEW, MANY, MORE, COMPLEX = 24, 96, 3072, 8  # points of the first three stages, and complex points
ENOUGH = 5  # points for a verdict on an equation that is defined at few of them
_BATCH = 2000  # equations checked together; more would only cost memory
LARGEST = 2000  # nodes of an equation that is compared at more points: 100 MB
UNSETTLED = -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of the numeric check of an equation."""

    label: Label
    points: int  # real points at which both sides were defined and compared
    counterexample: dict[str, float] | None = None  # a point at which the sides differ, if one was found
    sides: tuple[float, float] | None = None  # their values there
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.label}: {self.explain()}"

    def explain(self) -> str:
        """Return the reason, with the point at which the sides differ and their values there, if there is one."""
        if self.counterexample is None or self.sides is None:
            return self.reason
        place = ", ".join(f"{name} = {value:g}" for name, value in self.counterexample.items())
        left, right = (f"{side:.6g}" for side in self.sides)
        sides = f"left {left}, right {right}" + (" (they differ in later digits)" if left == right else "")
        return f"{self.reason}{f'; at {place}' if place else ''}: {sides}"

    def _repr_html_(self) -> str:
        """Return the verdict for notebooks."""
        return f"<b>{MARKS[self.label]} {self.label}</b> &mdash; {escape(self.explain())}"


def check(equation: Expr | str, seed: int = 0) -> Verdict:
    """Return the verdict on one equation, given as an Expr or as text."""
    return check_many([equation], seed)[0]


def check_many(equations: Iterable[Expr | str], seed: int = 0) -> list[Verdict]:
    """Return the verdicts on many equations; sub-expressions that they share are computed once.

    A verdict depends only on the equation and the seed.
    """
    if isinstance(equations, str | Expr):  # a text would be taken for a list of letters
        raise TypeError("check_many() takes a list of equations: check_many([equation]), or check(equation)")
    _require_seed(seed)
    todo = [parse(e) if isinstance(e, str) else e for e in equations]
    for e in todo:
        _require_checkable(e)  # before it is looked up: a list has no hash
    verdicts: dict[Expr, Verdict] = {}
    for start in range(0, len(todo), _BATCH):
        batch = [e for e in dict.fromkeys(todo[start : start + _BATCH]) if e not in verdicts]
        verdicts.update(zip(batch, Checker(seed).check(batch), strict=True))
    return [verdicts[e] for e in todo]


class Checker:
    """Checks one batch after the other and keeps the values of all parts: fast for equations derived from each other."""

    def __init__(self, seed: int = 0) -> None:
        self.few = ValueTable(SamplePoints(seed, FEW))
        self.many = ValueTable(SamplePoints(seed, MANY, FAR_RANGES))
        self.complex = ValueTable(SamplePoints(seed, COMPLEX, is_complex=True))

    def clear(self) -> None:
        """Forget all equations, but keep the allocated memory for new ones."""
        for table in (self.few, self.many, self.complex):
            table.clear()

    @cached_property
    def more(self) -> ValueTable:
        """The table of the third stage, which few equations need."""
        return ValueTable(SamplePoints(self.many.points.seed, MORE, FAR_RANGES))

    def check(self, equations: Sequence[Expr]) -> list[Verdict]:
        """Return the verdicts, by mpmath where float64 cannot settle them."""
        for e in equations:
            _require_checkable(e)
        labels, compared = self._compare(equations)
        self._look_at_more_points(equations, labels, compared)
        return [
            self._decide_precisely(e, *where)
            if label == UNSETTLED or (label == 1 and _is_refuted(e, *where))
            else _verdict(label == 1, e, *where)
            for e, label, where in zip(equations, labels, compared, strict=True)
        ]

    def labels(self, equations: Sequence[Expr]) -> Array:
        """Return 1 for correct, 0 for incorrect, -1 for what float64 cannot settle: a thousand times faster than mpmath.

        Sides that are badly conditioned at all points, as tan(sinh(sinh(x))), count as equal if they agree to six digits.
        The third stage is left out.
        """
        return self._compare(equations)[0]

    def _compare(self, equations: Sequence[Expr]) -> tuple[Array, list[tuple[Comparison, int]]]:
        """Return the labels that float64 settles, and for each equation its last comparison and its row in it."""
        labels = np.full(len(equations), UNSETTLED, np.int8)
        smooth = [i for i, e in enumerate(equations) if not e.has_branches]
        few = compare_sides([equations[i] for i in smooth], self.few)
        compared = dict(zip(smooth, ((few, k) for k in range(len(smooth))), strict=True))
        equal, different = few.settled()
        to_confirm = np.flatnonzero(equal).tolist()
        equal[to_confirm] = hold_at_complex_points([equations[smooth[k]] for k in to_confirm], self.complex)
        labels[smooth] = _label(equal, different)
        rest = np.flatnonzero(labels == UNSETTLED).tolist()
        many = compare_sides([equations[i] for i in rest], self.many)
        compared.update(zip(rest, ((many, k) for k in range(len(rest))), strict=True))
        labels[rest] = _label(*many.settled())
        for i in np.flatnonzero(labels == UNSETTLED).tolist():
            labels[i] = self._settle_by_few(equations[i], *compared[i])
        return labels, [compared[i] for i in range(len(equations))]

    def _look_at_more_points(self, equations: Sequence[Expr], labels: Array, compared: list[tuple[Comparison, int]]) -> None:
        """Compare at more points what few points could decide: settle it, or unsettle it if there are two outcomes now."""
        for i, e in enumerate(equations):
            is_varied = e.has_branches and not e.is_constant and e.left is not e.right and e.size <= LARGEST
            if is_varied and compared[i][0].is_clear_at_few(compared[i][1]):
                joined = compared[i][0].joined(compared[i][1], compare_sides([e], self.more))
                self.more.clear()
                has_both = bool(joined.count(EQUAL)[0] and joined.count(DIFFERENT)[0])
                label = UNSETTLED if has_both else int(_label(*joined.settled())[0])
                if has_both or label != UNSETTLED:
                    labels[i], compared[i] = label, (joined, 0)

    def _settle_by_few(self, e: Expr, comparison: Comparison, k: int) -> int:
        """Return the label of an equation that is defined at few points, but has the same outcome at all of them."""
        equal, different, unsure = (int((comparison.status[k] == s).sum()) for s in (EQUAL, DIFFERENT, UNSURE))
        if e.is_constant or max(equal, different) < max(ENOUGH, unsure) or (equal and different):
            return UNSETTLED
        if different:
            return 0
        return 1 if equal >= 2 * ENOUGH or hold_at_complex_points([e], self.complex)[0] else UNSETTLED

    def _decide_precisely(self, e: Expr, comparison: Comparison, k: int) -> Verdict:
        """Return the verdict by mpmath, at some points of each float64 status and mostly where float64 is unsure."""
        status = comparison.status[k]
        counts, difference = precise.compare_at_some(e, comparison, k, ENOUGH)
        # Float64 is right about differences. Equality counts only if mpmath confirms it, then at all points that float64 saw.
        different = max(counts["different"], int((status == DIFFERENT).sum()))
        equal = max(counts["equal"], int((status == EQUAL).sum())) if counts["equal"] else 0
        if difference is not None:
            point = comparison.point(e, difference)
            label: Label = "undecided" if counts["equal"] > 1 or (different == 1 and not e.is_constant) else "incorrect"
            sides = precise.sides_at(e, point)
            return Verdict(label, _points(e, equal + different), point, sides, _reason(e, equal, different, point))
        has_enough = equal >= (1 if e.is_constant else ENOUGH) or (equal > 1 and hold_at_complex_points([e], self.complex)[0])
        if has_enough or (e.left is e.right and (status != UNDEFINED).any()):
            return Verdict("correct", _points(e, equal), reason=_reason(e, equal, 0))
        return Verdict("undecided", equal, reason=why_undecided(e, self.many))


def _require_seed(seed: int) -> None:
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise TypeError(f"a seed must be a whole number, not {type(seed).__name__}")
    if seed < 0:
        raise DataError(f"a seed must not be negative, but it is {seed}")


def _require_checkable(e: Expr) -> None:
    if not isinstance(e, Expr):
        raise TypeError(f"an equation must be an Expr or a string, not {type(e).__name__}")
    if not e.is_equation or e.has_blank:
        shown = str(e) if e.size < 40 else f"an expression of {e.size} nodes"
        why = "there is a blank to fill first" if e.is_equation else "not an equation (there is no '=')"
        raise DataError(f"{why}: {shown}")


def _label(is_equal: Array, is_different: Array) -> Array:
    return np.where(is_equal, 1, np.where(is_different, 0, UNSETTLED))


def _verdict(is_correct: bool, e: Expr, comparison: Comparison, k: int) -> Verdict:
    """Return the verdict that float64 settled, with the first point at which the sides differ."""
    equal, different = (int((comparison.status[k] == s).sum()) for s in (EQUAL, DIFFERENT))
    if is_correct:
        return Verdict("correct", _points(e, equal), reason=_reason(e, equal, 0))
    index = int(np.flatnonzero(comparison.status[k] == DIFFERENT)[0])
    sides = (float(comparison.left[k, index]), float(comparison.right[k, index]))
    point = comparison.point(e, index)
    return Verdict("incorrect", _points(e, different), point, sides, _reason(e, 0, different, point))


def _is_refuted(e: Expr, comparison: Comparison, k: int) -> bool:
    """Return whether float64 took sides for equal that mpmath distinguishes; asked where few digits of float64 are correct."""
    if comparison.is_sharp[k].any() or e.left is e.right:
        return False
    point = comparison.point(e, int(np.flatnonzero(comparison.status[k] == EQUAL)[0]))
    return precise.compare_at(e, point, tolerance_of(e), precise.DIGITS[:1]) == "different"


def _points(e: Expr, count: int) -> int:
    return 1 if e.is_constant else count  # without variables all points are the same


def _reason(e: Expr, equal: int, different: int, point: Iterable[str] = ()) -> str:
    if e.is_constant:
        return "different" if different else "equal"
    parts = [f"{word} at {n} point{'s' * (n > 1)}" for word, n in (("equal", equal), ("different", different)) if n]
    return ", ".join(parts) + note_on_names(point)
