"""The numeric verdict on an equation: correct, incorrect or undecided.

*Correct*: at every real point where both sides are defined they are equal, and there are such points. *Incorrect*: they
differ at every such point but isolated ones. Equal on one part of the line and different on another is *undecided*. A side
is defined where each of its sub-expressions has a real principal value.

Three passes, each over what the one before could not settle. Functions without branches: float64 at a few real points.
Analytic ones that agree at random points agree everywhere, off the real line too, so complex points are a second witness.
Roots, logarithms and inverse functions may agree on one part of the line only: float64 at many points in more ranges,
as for all that is defined at few points. Last, mpmath at high precision, where float64 is unsure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..notation.parse import parse
from ..ops import Array
from ..tree import Expr
from . import precise
from .compare import DIFFERENT, EQUAL, UNDEFINED, UNSURE, Comparison, compare_sides, hold_at_complex_points, tolerance_of
from .values import FAR_RANGES, SamplePoints, ValueTable

Label = Literal["correct", "incorrect", "undecided"]

FEW, MANY, COMPLEX = 24, 96, 8  # points of the passes
ENOUGH = 5  # points for a verdict on what is defined at few of them
_BATCH = 2000  # equations evaluated together; more would only cost memory
UNSETTLED = -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the numbers say of an equation."""

    label: Label
    points: int  # real points at which both sides were defined and compared
    counterexample: dict[str, float] | None = None  # a point at which the sides differ, if one was found
    sides: tuple[float, float] | None = None  # their values there
    reason: str = ""


def check(equation: Expr | str, seed: int = 0) -> Verdict:
    """The verdict on one equation, given as an Expr or as text."""
    return check_many([equation], seed)[0]


def check_many(equations: Iterable[Expr | str], seed: int = 0) -> list[Verdict]:
    """The verdicts on many equations; sub-expressions that they share are computed once. The same for a given seed."""
    todo = [parse(e) if isinstance(e, str) else e for e in equations]
    verdicts: dict[Expr, Verdict] = {}
    for start in range(0, len(todo), _BATCH):
        batch = [e for e in dict.fromkeys(todo[start : start + _BATCH]) if e not in verdicts]
        verdicts.update(zip(batch, Checker(seed).check(batch), strict=True))
    return [verdicts[e] for e in todo]


class Checker:
    """Checks equations batch after batch, and remembers the values of their parts: for equations that grow from each other."""

    def __init__(self, seed: int = 0) -> None:
        self.few = ValueTable(SamplePoints(seed, FEW))
        self.many = ValueTable(SamplePoints(seed, MANY, FAR_RANGES))
        self.off_the_line = ValueTable(SamplePoints(seed, COMPLEX, is_complex=True))

    def forget(self) -> None:
        """Begin anew, in the same memory."""
        for evaluator in (self.few, self.many, self.off_the_line):
            evaluator.forget()

    def check(self, equations: Sequence[Expr]) -> list[Verdict]:
        """The verdicts, by mpmath where float64 cannot settle it."""
        for e in equations:
            _require_checkable(e)
        labels, seen = self._survey(equations)
        return [
            _judge_precisely(e, *where, self.off_the_line) if label == UNSETTLED else _verdict(label == 1, e, *where)
            for e, label, where in zip(equations, labels, seen, strict=True)
        ]

    def labels(self, equations: Sequence[Expr]) -> Array:
        """1 for correct, 0 for incorrect, -1 for what float64 cannot settle: a thousand times faster than mpmath."""
        return self._survey(equations)[0]

    def _survey(self, equations: Sequence[Expr]) -> tuple[Array, list[tuple[Comparison, int]]]:
        """What float64 settles, and the last look at each equation: which, and where in it."""
        labels = np.full(len(equations), UNSETTLED, np.int8)
        smooth = [i for i, e in enumerate(equations) if not e.has_branches]
        few = compare_sides([equations[i] for i in smooth], self.few)
        seen = dict(zip(smooth, ((few, k) for k in range(len(smooth))), strict=True))
        equal, different = few.settled()
        hopeful = np.flatnonzero(equal).tolist()
        equal[hopeful] = hold_at_complex_points([equations[smooth[k]] for k in hopeful], self.off_the_line)
        labels[smooth] = np.where(equal, 1, np.where(different, 0, UNSETTLED))
        rest = np.flatnonzero(labels == UNSETTLED).tolist()
        many = compare_sides([equations[i] for i in rest], self.many)
        seen.update(zip(rest, ((many, k) for k in range(len(rest))), strict=True))
        equal, different = many.settled()
        labels[rest] = np.where(equal, 1, np.where(different, 0, UNSETTLED))
        for i in np.flatnonzero(labels == UNSETTLED).tolist():
            labels[i] = self._settle_by_few(equations[i], *seen[i])
        return labels, [seen[i] for i in range(len(equations))]

    def _settle_by_few(self, e: Expr, comparison: Comparison, k: int) -> int:
        """What is defined at few points, but the same at all of them."""
        equal, different, unsure = (int((comparison.status[k] == s).sum()) for s in (EQUAL, DIFFERENT, UNSURE))
        if e.is_constant or max(equal, different) < max(ENOUGH, unsure) or (equal and different):
            return UNSETTLED
        if different:
            return 0
        return 1 if equal >= 2 * ENOUGH or hold_at_complex_points([e], self.off_the_line)[0] else UNSETTLED


def _require_checkable(e: Expr) -> None:
    if not isinstance(e, Expr):
        raise TypeError(f"an equation is an Expr or a text, not {type(e).__name__}")
    if not e.is_equation or e.has_blank:
        shown = str(e) if e.size < 40 else f"an expression of {e.size} nodes"
        why = "there is a blank to fill first" if e.is_equation else "not an equation (there is no '=')"
        raise ValueError(f"{why}: {shown}")


def _verdict(is_correct: bool, e: Expr, comparison: Comparison, k: int) -> Verdict:
    """What float64 settled, with the first point at which the sides differ."""
    equal, different = (int((comparison.status[k] == s).sum()) for s in (EQUAL, DIFFERENT))
    if is_correct:
        return Verdict("correct", _points(e, equal), reason=_reason(e, equal, 0))
    at = int(np.flatnonzero(comparison.status[k] == DIFFERENT)[0])
    sides = (float(comparison.left[k, at]), float(comparison.right[k, at]))
    return Verdict("incorrect", _points(e, different), comparison.point(e, at), sides, _reason(e, 0, different))


def _judge_precisely(e: Expr, comparison: Comparison, k: int, off_the_line: ValueTable) -> Verdict:
    """mpmath at some points of each kind that float64 saw, most of all where it was unsure."""
    seen = comparison.status[k]
    found = {"equal": 0, "different": 0, "undefined": 0, "unsure": 0}
    at = None
    doubtful = 16 if e.has_branches else 6  # what has branches may hold on one part of the line only
    for kind, most in ((DIFFERENT, 2), (EQUAL, 3), (UNSURE, doubtful), (UNDEFINED, 6)):
        for place in _spread(seen == kind, 1 if e.is_constant else most):
            if (kind == UNDEFINED and found["equal"] + found["different"] >= ENOUGH) or found["unsure"] == 3:
                break
            answer = precise.compare(e, comparison.point(e, place), tolerance_of(e))
            found[answer] += 1
            at = place if at is None and answer == "different" else at
    # Float64 is right about differences; equality counts only if mpmath confirms it, and then at all points that float64 saw.
    different = max(found["different"], int((seen == DIFFERENT).sum()))
    equal = max(found["equal"], int((seen == EQUAL).sum())) if found["equal"] else 0
    if at is not None:
        point = comparison.point(e, at)
        label: Label = "undecided" if found["equal"] > 1 or (different == 1 and not e.is_constant) else "incorrect"
        return Verdict(label, _points(e, equal + different), point, precise.sides(e, point), _reason(e, equal, different))
    enough = 1 if e.is_constant else ENOUGH
    if (
        equal >= enough
        or (equal > 1 and hold_at_complex_points([e], off_the_line)[0])
        or (e.left is e.right and (seen != UNDEFINED).any())
    ):
        return Verdict("correct", _points(e, equal), reason=_reason(e, equal, 0))
    return Verdict("undecided", equal, reason="too few real points at which both sides have a value that can be computed")


def _spread(chosen: Array, most: int) -> list[int]:
    """Some of the chosen points, from all ranges."""
    places = np.flatnonzero(chosen)
    return [int(p) for p in places[:: max(1, len(places) // most)][:most]]


def _points(e: Expr, count: int) -> int:
    return 1 if e.is_constant else count  # without variables all points are one


def _reason(e: Expr, equal: int, different: int) -> str:
    if e.is_constant:
        return "different" if different else "equal"
    parts = [f"{word} at {n} point{'s' * (n > 1)}" for word, n in (("equal", equal), ("different", different)) if n]
    return ", ".join(parts)
