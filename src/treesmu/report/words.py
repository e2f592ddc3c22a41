"""Numbers in words: shares, differences, and whether a difference is more than chance."""

from __future__ import annotations

from collections.abc import Iterable

from .folder import Entry
from .numbers import Spread, is_clear

RECIPE_NAMES = {"paper": "paper's recipe", "treesmu": "recipe treesmu"}
Condition = tuple[str, str]  # corpus, recipe


def condition_name(condition: Condition) -> str:
    corpus, recipe = condition
    return f"{corpus} corpus, {RECIPE_NAMES[recipe]}"


def percent(value: Spread | float) -> str:
    """As 79.6% or 79.6 ± 0.2%."""
    if isinstance(value, Spread):
        around = "" if value.sd is None else f" ± {100 * value.sd:.1f}"
        return f"{100 * value.mean:.1f}{around}%"
    return f"{100 * value:.1f}%"


def points(difference: float) -> str:
    """A difference of shares as +1.2."""
    return f"{100 * difference:+.1f}".replace("-0.0", "+0.0").replace("-", "−")


def ranged(low: float, high: float, digits: int = 1) -> str:
    """In hundredths: as 9.0 to 10.7, or one number where they are the same as written."""
    ends = dict.fromkeys(f"{100 * value:.{digits}f}" for value in (low, high))
    return " to ".join(ends)


def shares(found: Iterable[tuple[Condition, Spread]]) -> str:
    """A share under several conditions: the lowest and the highest."""
    ordered = sorted(found, key=lambda pair: pair[1].mean)
    ends = ordered[:1] + ordered[1:][-1:]
    return " to ".join(f"{percent(value)} ({condition_name(condition)})" for condition, value in ends)


def changes(found: Iterable[tuple[Condition, Spread, Spread]]) -> str:
    """From the first to the second, under several conditions: the lowest and the highest change, and whether it is clear."""
    ordered = sorted(found, key=lambda one: one[2].mean - one[1].mean)
    ends = ordered[:1] + ordered[1:][-1:]
    said = " to ".join(f"{points(b.mean - a.mean)} ({condition_name(condition)})" for condition, a, b in ends)
    return f"{said} points; {_sure([is_clear(a, b) for _, a, b in ordered])}"


def _sure(clear: list[bool | None]) -> str:
    """How often a difference is more than the noise of seeds."""
    known = [one for one in clear if one is not None]
    if not known:
        return "one seed, so it may be chance"
    if len(known) == 1:
        return "more than the noise of seeds" if known[0] else "within the noise of seeds"
    return f"more than the noise of seeds in {sum(known)} of {len(known)} cases"


def seeds_note(entries: Iterable[Entry]) -> str:
    """How many seeds the means and the ± are of."""
    counts = sorted({entry.seeds for entry in entries})
    if counts in ([], [1]):
        return "One seed: no standard deviation can be given."
    if counts[0] == 1:
        return f"Mean ± sample standard deviation over up to {counts[-1]} seeds; without ± there is one seed only."
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"Mean ± sample standard deviation over {many} seeds."


def bands_note(entries: Iterable[Entry], what: str = "Bands") -> str:
    seeds = {entry.seeds for entry in entries}
    return f"{what}: ± one standard deviation over {max(seeds)} seeds." if max(seeds) > 1 else f"One seed: no {what.lower()}."
