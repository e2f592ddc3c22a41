"""Differences in words: in sentences with their intervals, and in titles. Only what is significant is claimed."""

from __future__ import annotations

from collections.abc import Iterable

from ..statistics.family import Outcome, Tested, count
from .sentences import point_range, points, quantity

MAY_BE_CHANCE = "one seed, so this may be due to chance"


def changes(tested: Iterable[Tested]) -> str:
    """Return the lowest and the highest difference of one measure, with their intervals, and how many are significant."""
    ordered = sorted(tested, key=lambda one: one.difference.mean)
    ends = ordered[:1] + ordered[1:][-1:]
    text = " to ".join(f"{points(one.difference.mean, one.measure)}{_where(one)}" for one in ends)
    unit = "points" if ordered[0].measure.is_share else f"of {ordered[0].measure.name}"
    return f"{text} {unit}; {significance(ordered)}"


def differences(tested: Iterable[Tested]) -> str:
    """Return the range of differences without the conditions, and how many are significant."""
    tested = list(tested)
    return f"{point_range(one.difference.mean for one in tested)} points, {significance(tested)}"


def interval(one: Tested) -> str:
    """Return the interval of a difference as text; empty for one seed."""
    ends = one.difference.interval
    return "" if ends is None else "95% interval {} to {}".format(*(points(end, one.measure) for end in ends))


def significance(tested: Iterable[Tested]) -> str:
    """Return how many differences are significant, and in which direction; differences of one seed are not counted."""
    tested = list(tested)
    known = [one for one in tested if one.outcome is not Outcome.ONE_SEED]
    if not known:
        return MAY_BE_CHANCE
    if len(tested) == 1:
        return "not significant" if known[0].outcome is Outcome.NOT_SHOWN else "significant"
    higher, lower = count(known, Outcome.HIGHER), count(known, Outcome.LOWER)
    single = f" ({len(tested) - len(known)} with one seed not counted)" if len(known) < len(tested) else ""
    return f"significantly higher in {higher} and significantly lower in {lower} of {quantity(len(known), 'case')}{single}"


def title(neutral: str, measure: str, tested: Iterable[Tested]) -> str:
    """Return the title of a figure: what is shown about a measure, or nothing but the neutral part if nothing was tested."""
    known = [one for one in tested if one.outcome is not Outcome.ONE_SEED]
    higher, lower = count(known, Outcome.HIGHER), count(known, Outcome.LOWER)
    if not known:
        return neutral
    if not higher and not lower:
        return f"{neutral}: no significant difference in {measure}"
    return f"{neutral}: {measure} is higher in {higher} and lower in {lower} of {quantity(len(known), 'case')}"


def _where(one: Tested) -> str:
    """Return the condition and the interval in parentheses; nothing if there is neither."""
    facts = [text for text in (one.where, interval(one)) if text]
    return f" ({'; '.join(facts)})" if facts else ""
