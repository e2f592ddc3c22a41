"""Numbers in words: shares, seeds and epochs; claims.py has the differences."""

from __future__ import annotations

from collections.abc import Iterable

from treesmu.task_names import ACCURACY, Measure

from ..numbers import Spread
from ..runs import Condition, SeedGroup


def percent(value: Spread | float) -> str:
    """Return a share as 79.6% or 79.6 ± 0.2%."""
    if isinstance(value, Spread):
        around = "" if value.sd is None else f" ± {100 * value.sd:.1f}"
        return f"{100 * value.mean:.1f}{around}%"
    return f"{100 * value:.1f}%"


def points(difference: float, measure: Measure = ACCURACY) -> str:
    """Return a difference of shares in percentage points, as +1.2, or one of R², as +0.012."""
    text = f"{measure.scale * difference:+.{measure.digits}f}"
    zero = f"{0:.{measure.digits}f}"
    return (f"+{zero}" if text == f"-{zero}" else text).replace("-", "−")


def point_range(differences: Iterable[float]) -> str:
    """Return the lowest and the highest difference as −0.1 to +1.4, or one number if both are written alike."""
    differences = list(differences)
    return " to ".join(dict.fromkeys(points(end) for end in (min(differences), max(differences))))


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun, as 1 epoch or 12,000 equations."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def enumeration(names: list[str]) -> str:
    """Return names as A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def epochs(groups: Iterable[SeedGroup]) -> str:
    """Return how long the groups were trained, as 15 epochs or 12 to 15 epochs."""
    found = sorted({len(run.epochs) for group in groups for run in group.runs})
    return (f"{found[0]} to " if found[0] < found[-1] else "") + quantity(found[-1], "epoch")


def shares(found: Iterable[tuple[Condition, Spread]]) -> str:
    """Return the lowest and the highest share, with the conditions they were measured under."""
    ordered = sorted(found, key=lambda pair: pair[1].mean)
    ends = ordered[:1] + ordered[1:][-1:]
    return " to ".join(f"{percent(value)} ({condition})" for condition, value in ends)


def seeds_note(groups: Iterable[SeedGroup]) -> str:
    """Return what the numbers of a table are means of."""
    counts = sorted({group.seeds for group in groups})
    if counts in ([], [1]):
        return "One seed, therefore no standard deviation."
    if counts[0] == 1:
        return f"Mean ± sample standard deviation over up to {counts[-1]} seeds; numbers without ± have one seed."
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"Mean ± sample standard deviation over {many} seeds."


def bands_note(groups: Iterable[SeedGroup], what: str = "Bands") -> str:
    """Return what the bands or bars of a figure show."""
    counts = {group.seeds for group in groups}
    if max(counts) == 1:
        return f"One seed, therefore no {what.lower()}."
    up_to = "up to " if len(counts) > 1 else ""
    return f"{what}: ± one standard deviation over {up_to}{max(counts)} seeds."
