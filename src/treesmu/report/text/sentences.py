"""Numbers in words: shares, differences, and whether a difference is more than chance."""

from __future__ import annotations

from collections.abc import Iterable

from ..folder import SeedGroup
from ..numbers import Spread, is_clear

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


def span(differences: Iterable[float]) -> str:
    """The lowest and the highest: as −0.1 to +1.4, or one number where they are the same as written."""
    differences = list(differences)
    return " to ".join(dict.fromkeys(points(end) for end in (min(differences), max(differences))))


def number(many: int, what: str) -> str:
    """As 1 epoch, 12,000 equations."""
    return f"{many:,} {what}{'' if many == 1 else 's'}"


def epochs(groups: Iterable[SeedGroup]) -> str:
    """How many they were trained for: as 15 epochs, or 12 to 15 epochs."""
    found = sorted({len(run.epochs) for group in groups for run in group.runs})
    return (f"{found[0]} to " if found[0] < found[-1] else "") + number(found[-1], "epoch")


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
    return f"{said} points; {_sure([(a, b) for _, a, b in ordered])}"


def _sure(both: list[tuple[Spread, Spread]]) -> str:
    """How often the second is higher or lower by more than the noise of seeds."""
    known = [(b.mean - a.mean, clear) for a, b in both if (clear := is_clear(a, b)) is not None]
    if not known:
        return "one seed, so it may be chance"
    if len(both) == 1:
        return "more than the noise of seeds" if known[0][1] else "within the noise of seeds"
    higher, lower = (sum(clear and sign * change > 0 for change, clear in known) for sign in (1, -1))
    single = f" ({len(both) - len(known)} with one seed not counted)" if len(known) < len(both) else ""
    return f"beyond the noise of seeds higher in {higher}, lower in {lower} of {number(len(known), 'case')}{single}"


def seeds_note(groups: Iterable[SeedGroup]) -> str:
    """How many seeds the means and the ± are of."""
    counts = sorted({group.seeds for group in groups})
    if counts in ([], [1]):
        return "One seed: no standard deviation can be given."
    if counts[0] == 1:
        return f"Mean ± sample standard deviation over up to {counts[-1]} seeds; without ± there is one seed only."
    many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"Mean ± sample standard deviation over {many} seeds."


def bands_note(groups: Iterable[SeedGroup], what: str = "Bands") -> str:
    counts = {group.seeds for group in groups}
    if max(counts) == 1:
        return f"One seed: no {what.lower()}."
    up_to = "up to " if len(counts) > 1 else ""
    return f"{what}: ± one standard deviation over {up_to}{max(counts)} seeds."
