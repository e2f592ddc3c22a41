"""Effects: what changes when only the data, only the recipe or only the cell is changed."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from .folder import Entry
from .numbers import Spread
from .palette import CELLS, model_name
from .section import Measure, find, productivity, systematicity
from .words import RECIPE_NAMES, Condition

Conditions = dict[Condition, list[Entry]]


@dataclass(frozen=True)
class Effect:
    """From the old to the new: by measure, the mean over the cells that have both (their names)."""

    new: str
    old: str
    where: str
    change: dict[str, float]
    cells: tuple[str, ...]


def by_data(found: Conditions) -> list[Effect]:
    """Each corpus against the first, with the same recipe."""
    first = next((corpus for corpus, _ in found), "")
    pairs = [((first, recipe), (corpus, recipe)) for corpus, recipe in found if corpus != first]
    known = [(old, new, _change(found.get(old, []), found[new])) for old, new in pairs]
    return [Effect(new[0], old[0], RECIPE_NAMES[new[1]], *change) for old, new, change in known if change[0]]


def by_recipe(found: Conditions) -> list[Effect]:
    """Our recipe against the paper's, on the same corpus."""
    pairs = [((corpus, "paper"), (corpus, recipe)) for corpus, recipe in found if recipe != "paper"]
    known = [(old, new, _change(found.get(old, []), found[new])) for old, new in pairs]
    return [Effect(new[1], old[1], f"{new[0]} corpus", *change) for old, new, change in known if change[0]]


def between_cells(found: Conditions) -> dict[Condition, float]:
    """How far the best and the worst cell are apart in productivity, where there are two or more."""
    means = {
        condition: [value.mean for cell in CELLS if (value := of_model(entries, cell, productivity))]
        for condition, entries in found.items()
    }
    return {condition: max(some) - min(some) for condition, some in means.items() if len(some) > 1}


def of_model(entries: list[Entry], model: str, measure: Measure) -> Spread | None:
    entry = find(entries, model)
    return measure(entry) if entry else None


def _change(old: list[Entry], new: list[Entry]) -> tuple[dict[str, float], tuple[str, ...]]:
    """By measure, and the cells that it is the mean of; empty where no cell has both."""
    cells = [cell for cell in CELLS if find(old, cell) and find(new, cell)]
    found: dict[str, float] = {}
    for name, measure in (("systematicity", systematicity), ("productivity", productivity)):
        both = [(of_model(old, cell, measure), of_model(new, cell, measure)) for cell in cells]
        changes = [b.mean - a.mean for a, b in both if a and b]
        if changes:
            found[name] = fmean(changes)
    return found, tuple(model_name(cell) for cell in cells)
