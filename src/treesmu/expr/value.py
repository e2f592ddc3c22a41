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
from .evaluate import FAR_RANGES, Points, evaluate
from .ops import Array
from .parse import parse
from .tree import Expr

Label = Literal["correct", "incorrect", "undecided"]

FEW, MANY, COMPLEX = 24, 150, 8  # points of the passes
MOST = 18  # points of one kind, and none of the other, that settle it: where fewer are defined the rest deserves a closer look
ENOUGH = 10  # points of either kind that are no accident
_PRECISE = 8  # points for mpmath
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
    return check_many([parse(equation) if isinstance(equation, str) else equation], seed)[0]


def check_many(equations: Iterable[Expr], seed: int = 0) -> list[Verdict]:
    """The verdicts on many equations; sub-expressions that they share are computed once. The same for a given seed."""
    todo = list(equations)
    for e in todo:
        _require_checkable(e)
    verdicts: dict[Expr, Verdict] = {}
    for start in range(0, len(todo), _BATCH):
        batch = [e for e in dict.fromkeys(todo[start : start + _BATCH]) if e not in verdicts]
        verdicts.update(zip(batch, _check_batch(batch, seed), strict=True))
    return [verdicts[e] for e in todo]


def _require_checkable(e: Expr) -> None:
    if not e.is_equation:
        raise ValueError(f"not an equation (there is no '='): {_short(e)}")
    if e.has_blank:
        raise ValueError(f"there is a blank to fill first: {_short(e)}")


def _short(e: Expr) -> str:
    return str(e) if e.size < 40 else f"an expression of {e.size} nodes"


# -- the three passes --------------------------------------------------------------------------------------------------


def _check_batch(batch: list[Expr], seed: int) -> list[Verdict]:
    verdicts: list[Verdict | None] = [None] * len(batch)
    few = _look(batch, Points(seed, FEW))
    hopeful = np.flatnonzero(~few.branching & (few.count(EQUAL) >= MOST))
    whole = np.zeros(len(batch), bool)
    whole[hopeful] = _holds_off_the_line([batch[i] for i in hopeful], seed)
    _settle(batch, range(len(batch)), few, verdicts, whole)
    left = [i for i, v in enumerate(verdicts) if v is None]
    for start in range(0, len(left), _BATCH // 4):
        chunk = left[start : start + _BATCH // 4]
        many = _look([batch[i] for i in chunk], Points(seed, MANY, FAR_RANGES))
        _settle(batch, chunk, many, verdicts, np.ones(len(chunk), bool))
        for k, i in enumerate(chunk):
            if verdicts[i] is None:
                verdicts[i] = _judge_precisely(batch[i], many, k)
    return [v for v in verdicts if v is not None]


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


def _look(equations: Sequence[Expr], points: Points) -> _Sight:
    values = evaluate([side for e in equations for side in e.children], points)
    left, right = values.plain[0::2], values.plain[1::2]
    error = np.abs(values.disturbed[0::2] - left) + np.abs(values.disturbed[1::2] - right)
    scale = np.maximum(np.abs(left), np.abs(right))
    error = error + scale * 2.0**-50
    constant = [i for i, e in enumerate(equations) if e.is_constant]
    error[constant] = error[constant].max(axis=1, keepdims=True)  # one point, disturbed in many ways
    tolerance = np.array([_tolerance(e) for e in equations])[:, None]
    excess = np.abs(left - right) - tolerance
    with np.errstate(invalid="ignore"):
        trusted = error <= 1e-6 * scale + 1e-3 * tolerance
        equal = trusted & (excess <= np.where(tolerance > 0, -8, 8) * error)
        different = excess > 1000 * error
    status = np.where(equal, EQUAL, np.where(different, DIFFERENT, UNSURE))
    status[values.numb[0::2] | values.numb[1::2]] = UNSURE
    status[np.isnan(error)] = UNDEFINED
    return _Sight(points, status, left, right, values.branching[0::2] | values.branching[1::2])


def _holds_off_the_line(equations: list[Expr], seed: int) -> Array:
    """Whether equations hold at complex points, as far as their sides have values there. (equations,)"""
    sides = [side for e in equations for side in e.children]
    plain = evaluate(sides, Points(seed, COMPLEX, is_complex=True)).plain
    left, right = plain[0::2], plain[1::2]
    tolerance = np.array([_tolerance(e) for e in equations])[:, None]
    close = np.abs(left - right) <= 1e-6 * np.maximum(np.abs(left), np.abs(right)) + 1e-12 + tolerance
    undefined = np.isnan(left) | np.isnan(right)
    return np.asarray((close | undefined).all(axis=1) & close.any(axis=1))


def _settle(batch: list[Expr], places: Sequence[int], sight: _Sight, verdicts: list[Verdict | None], whole: Array) -> None:
    """Fill in the verdicts that this look makes plain; ``whole``: what is equal at these points is equal everywhere."""
    equal, different, unsure = (sight.count(s) for s in (EQUAL, DIFFERENT, UNSURE))
    last = sight.points.count == MANY
    plain = unsure <= (equal + different) // 2
    correct = plain & (equal >= MOST) & (different == 0) & whole
    incorrect = (different >= ENOUGH if last else plain & (different >= MOST)) & (equal == 0)
    for k in np.flatnonzero(correct).tolist():
        verdicts[places[k]] = _verdict("correct", batch[places[k]], int(equal[k]), 0)
    for k in np.flatnonzero(incorrect).tolist():
        verdicts[places[k]] = _against("incorrect", batch[places[k]], sight, k)
    for k in np.flatnonzero((equal >= ENOUGH) & (different >= ENOUGH)).tolist():
        verdicts[places[k]] = _against("undecided", batch[places[k]], sight, k)


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


def _judge_precisely(e: Expr, many: _Sight, k: int) -> Verdict:
    """mpmath where float64 was unsure, and, should that be little, where float64 saw nothing."""
    seen = many.status[k].copy()
    for kind in (EQUAL, DIFFERENT):
        if (seen == kind).sum() < ENOUGH:
            seen[seen == kind] = UNSURE  # may be an accident of the disturbance
    equal, different = int((seen == EQUAL).sum()), int((seen == DIFFERENT).sum())
    at = int(np.flatnonzero(seen == DIFFERENT)[0]) if different else None
    enough = 1 if e.is_constant else ENOUGH
    asked = [*_spread(seen == UNSURE), *_spread(seen == UNDEFINED)]
    for place in asked[: 1 if e.is_constant else None]:
        if seen[place] == UNDEFINED and equal + different >= max(1, enough // 2):
            break
        found = precise.compare(e, _point(e, many.points, place), _tolerance(e))
        equal += found == "equal"
        different += found == "different"
        at = place if at is None and found == "different" else at
    if at is not None:
        point = _point(e, many.points, at)
        left, right = precise.values(e.children, point) or (np.nan, np.nan)
        # Where float64 never saw them equal, mpmath did so where its digits ended too: coth(1000) is 1 to 868 of them.
        isolated = equal * 2 <= different if not (seen == EQUAL).any() else equal * 100 <= different
        label: Label = "incorrect" if isolated and (different > 1 or enough == 1) else "undecided"
        return _verdict(label, e, equal, different, point, (float(left), float(right)))
    if equal >= enough - enough // 2 or (equal > 1 and _holds_off_the_line([e], many.points.seed)[0]):
        return _verdict("correct", e, equal, 0)
    return Verdict("undecided", equal, reason="too few real points at which both sides are defined")


def _spread(chosen: Array) -> list[int]:
    """Some of the chosen points, from all ranges."""
    places = np.flatnonzero(chosen)
    return [int(p) for p in places[:: max(1, len(places) // _PRECISE)][:_PRECISE]]


def _point(e: Expr, points: Points, at: int) -> dict[str, float]:
    return {v.token: float(points.of(v.token)[at]) for v in e.variables()}


def _tolerance(e: Expr) -> float:
    """A decimal that stands alone on one side is meant to the digits shown: sin(2.5) = 0.6."""
    left, right = e.children
    if left.is_decimal == right.is_decimal or not e.is_constant:
        return 0.0
    decimal = left if left.is_decimal else right
    return 0.5 * 10.0 ** -len(decimal.token.partition(".")[2])
