"""The numeric verdict on an equation: correct, incorrect or undecided.

*Correct*: at every real point where both sides are defined they are equal, and there are such points. *Incorrect*: they
differ at every such point but isolated ones. Equal on one part of the line and different on another is *undecided*. A side
is defined where each of its sub-expressions has a real principal value.

Three passes, each over what the one before could not settle. First, float64 at a few real points. That settles functions
without branches: analytic ones that agree at random points agree everywhere, off the real line too, so complex points are
a second witness. Then float64 at many points in more ranges, for roots, logarithms and inverse functions, which may agree
on one part of the line only, and for what is defined at few points. Last, mpmath at high precision, where float64 is unsure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from . import precise
from .evaluate import FAR_RANGES, Evaluator, Points
from .ops import Array
from .parse import parse
from .tree import Expr

Label = Literal["correct", "incorrect", "undecided"]

FEW, MANY, COMPLEX = 24, 144, 8  # points of the passes
MOST = 18  # points of one kind, and none of the other, that settle it: where fewer are defined the rest deserves a closer look
ENOUGH = 10  # points of either kind that are no accident
_BATCH = 2000  # equations evaluated together; more would only cost memory

UNDEFINED, EQUAL, DIFFERENT, UNSURE = range(4)  # what is seen at one point


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


def _require_checkable(e: Expr) -> None:
    if not isinstance(e, Expr):
        raise TypeError(f"an equation is an Expr or a text, not {type(e).__name__}")
    if not e.is_equation:
        raise ValueError(f"not an equation (there is no '='): {_short(e)}")
    if e.has_blank:
        raise ValueError(f"there is a blank to fill first: {_short(e)}")


def _short(e: Expr) -> str:
    return str(e) if e.size < 40 else f"an expression of {e.size} nodes"


# -- the three passes --------------------------------------------------------------------------------------------------


class Checker:
    """Checks equations batch after batch, and remembers the values of their parts: for equations that grow from each other."""

    def __init__(self, seed: int = 0, patient: bool = True) -> None:
        """Without patience, what float64 cannot settle is undecided: mpmath takes a thousand times as long."""
        self.patient = patient
        self.few = Evaluator(Points(seed, FEW))
        self.many = Evaluator(Points(seed, MANY, FAR_RANGES))
        self.off_the_line = Evaluator(Points(seed, COMPLEX, is_complex=True))

    def check(self, equations: Sequence[Expr]) -> list[Verdict]:
        for e in equations:
            _require_checkable(e)
        verdicts: list[Verdict | None] = [None] * len(equations)
        few = _look(equations, self.few)
        hopeful = np.flatnonzero(~few.branching & (few.count(EQUAL) >= MOST)).tolist()
        whole = np.zeros(len(equations), bool)
        whole[hopeful] = _hold([equations[i] for i in hopeful], self.off_the_line)
        _settle(equations, range(len(equations)), few, verdicts, whole, ~few.branching)
        left = [i for i, v in enumerate(verdicts) if v is None]
        many = _look([equations[i] for i in left], self.many)
        every = np.ones(len(left), bool)
        _settle(equations, left, many, verdicts, every, every)
        for k, i in enumerate(left):
            if verdicts[i] is None:
                verdicts[i] = self._judge(equations[i], many, k)
        return [v for v in verdicts if v is not None]

    def _judge(self, e: Expr, many: _Sight, k: int) -> Verdict:
        equal, different, unsure = (int((many.status[k] == s).sum()) for s in (EQUAL, DIFFERENT, UNSURE))
        if self.patient:
            return _judge_precisely(e, many, k, self.off_the_line)
        if equal >= ENOUGH // 2 and not different and not unsure and _hold([e], self.off_the_line)[0]:
            return _verdict("correct", e, equal, 0)
        if different >= ENOUGH // 2 and not equal and not unsure:
            return _against("incorrect", e, many, k)
        return Verdict("undecided", equal + different, reason="float64 cannot settle it")


@dataclass(frozen=True)
class _Sight:
    """What float64 sees of some equations at some points."""

    points: Points
    status: Array  # (equations, points) of UNDEFINED, EQUAL, DIFFERENT, UNSURE
    left: Array  # (equations, points)
    right: Array
    branching: Array  # (equations,)

    def count(self, status: int) -> Array:
        return np.asarray((self.status == status).sum(axis=1))


def _look(equations: Sequence[Expr], evaluator: Evaluator) -> _Sight:
    values = evaluator.values([side for e in equations for side in e.children])
    left, right = values.plain[0::2], values.plain[1::2]
    errors = np.abs(values.disturbed - values.plain)
    constant = [i for i, e in enumerate(equations) if e.is_constant]
    both = [side for i in constant for side in (2 * i, 2 * i + 1)]
    errors[both] = errors[both].max(axis=1, keepdims=True)  # one point, disturbed in many ways
    vanishes = np.abs(values.plain) <= 8 * errors
    scale = np.maximum(np.abs(left), np.abs(right))
    error = errors[0::2] + errors[1::2] + scale * 2.0**-50
    tolerance = np.array([_tolerance(e) for e in equations])[:, None]
    with np.errstate(all="ignore"):
        excess = np.abs(left - right) - tolerance
        trusted = error <= 1e-6 * scale + 1e-3 * tolerance
        trusted |= vanishes[0::2] & vanishes[1::2] & (error < 1e-10)  # both are 0, and what is seen of them is error
        equal = trusted & (excess <= np.where(tolerance > 0, -8, 8) * error)
        different = excess > 1000 * error
    status = np.where(equal, EQUAL, np.where(different, DIFFERENT, UNSURE))
    status[values.numb[0::2] | values.numb[1::2]] = UNSURE
    status[np.isnan(error)] = UNDEFINED
    return _Sight(evaluator.table.points, status, left, right, values.branching[0::2] | values.branching[1::2])


def _hold(equations: Sequence[Expr], off_the_line: Evaluator) -> Array:
    """Whether equations hold at complex points, as far as their sides have values there. (equations,)"""
    plain = off_the_line.values([side for e in equations for side in e.children]).plain
    left, right = plain[0::2], plain[1::2]
    tolerance = np.array([_tolerance(e) for e in equations])[:, None]
    close = np.abs(left - right) <= 1e-6 * np.maximum(np.abs(left), np.abs(right)) + 1e-12 + tolerance
    undefined = np.isnan(left) | np.isnan(right)
    return np.asarray((close | undefined).all(axis=1) & close.any(axis=1))


def _settle(
    batch: Sequence[Expr], places: Sequence[int], sight: _Sight, verdicts: list[Verdict | None], whole: Array, settles: Array
) -> None:
    """Fill in the verdicts that this look makes plain: what is equal at its points is equal everywhere (``whole``), or
    what is different is so everywhere (``settles``)."""
    equal, different, unsure = (sight.count(s) for s in (EQUAL, DIFFERENT, UNSURE))
    plain = unsure <= equal + different
    correct = plain & (equal >= MOST) & (different == 0) & whole
    incorrect = plain & (different >= MOST) & (equal == 0) & settles
    for k in np.flatnonzero(correct).tolist():
        verdicts[places[k]] = _verdict("correct", batch[places[k]], int(equal[k]), 0)
    for k in np.flatnonzero(incorrect).tolist():
        verdicts[places[k]] = _against("incorrect", batch[places[k]], sight, k)


def _against(label: Label, e: Expr, sight: _Sight, k: int) -> Verdict:
    """A verdict with the first point at which the sides differ."""
    equal, different = (int((sight.status[k] == s).sum()) for s in (EQUAL, DIFFERENT))
    at = int(np.flatnonzero(sight.status[k] == DIFFERENT)[0])
    sides = (float(sight.left[k, at]), float(sight.right[k, at]))
    return _verdict(label, e, equal, different, _point(e, sight.points, at), sides)


def _verdict(
    label: Label,
    e: Expr,
    equal: int,
    different: int,
    counterexample: dict[str, float] | None = None,
    sides: tuple[float, float] | None = None,
) -> Verdict:
    if e.is_constant:  # all points are one
        return Verdict(label, 1, counterexample, sides, "different" if different else "equal")
    parts = [f"{word} at {n} point{'s' * (n > 1)}" for word, n in (("equal", equal), ("different", different)) if n]
    return Verdict(label, equal + different, counterexample, sides, ", ".join(parts))


def _judge_precisely(e: Expr, many: _Sight, k: int, off_the_line: Evaluator) -> Verdict:
    """mpmath at some points of each kind that float64 saw, most of all where it was unsure."""
    seen = many.status[k]
    found = {"equal": 0, "different": 0, "undefined": 0, "unsure": 0}
    at = None
    for kind, most in ((DIFFERENT, 3), (EQUAL, 4), (UNSURE, 10), (UNDEFINED, 10)):
        for place in _spread(seen == kind, 1 if e.is_constant else most):
            if (kind == UNDEFINED and found["equal"] + found["different"] >= ENOUGH // 2) or found["unsure"] == 3:
                break
            answer = precise.compare(e, _point(e, many.points, place), _tolerance(e))
            found[answer] += 1
            at = place if at is None and answer == "different" else at
    equal, different = found["equal"], found["different"]
    if at is not None:
        # Float64 is right about differences; points at which it alone saw them equal are no evidence.
        different = max(different, int((seen == DIFFERENT).sum()))
        point = _point(e, many.points, at)
        label: Label = "undecided" if equal > 1 or (different == 1 and not e.is_constant) else "incorrect"
        return _verdict(label, e, equal, different, point, precise.sides(e, point))
    enough = 1 if e.is_constant else ENOUGH // 2
    if equal >= enough or (equal > 1 and _hold([e], off_the_line)[0]) or (e.left is e.right and (seen != UNDEFINED).any()):
        return _verdict("correct", e, max(equal, int((seen == EQUAL).sum())), 0)
    return Verdict(
        "undecided", equal, reason="no verdict: too few real points at which both sides have a value that can be computed"
    )


def _spread(chosen: Array, most: int) -> list[int]:
    """Some of the chosen points, from all ranges."""
    places = np.flatnonzero(chosen)
    return [int(p) for p in places[:: max(1, len(places) // most)][:most]]


def _point(e: Expr, points: Points, at: int) -> dict[str, float]:
    return {v.token: float(points.of(v.token)[at]) for v in e.variables()}


def _tolerance(e: Expr) -> float:
    """A decimal that stands alone on one side is meant to the digits shown: sin(2.5) = 0.6."""
    left, right = e.children
    if left.is_decimal == right.is_decimal or not e.is_constant:
        return 0.0
    decimal = left if left.is_decimal else right
    return 0.5 * 10.0 ** -len(decimal.token.partition(".")[2])
