"""Effects: what changes when only the data, only the recipe or only the cell is changed."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from ..figures.palette import CELLS
from ..folder import SeedGroup
from ..numbers import Spread
from ..section import Measure, Pairs, find, productivity, systematicity
from .sentences import RECIPE_NAMES, Condition

Conditions = dict[Condition, list[SeedGroup]]


@dataclass(frozen=True)
class Effect:
    """From the old to the new: by measure, the mean over the cells that have both. cells: groups of each, old and new."""

    new: str
    old: str
    where: str
    change: dict[str, float]
    cells: tuple[tuple[SeedGroup, SeedGroup], ...]


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


def by_cell(found: Conditions, old: str, new: str, measure: Measure) -> Pairs:
    """A measure of two models under all conditions that have both."""
    return [
        (condition, a, b)
        for condition, groups in found.items()
        if (a := of_model(groups, old, measure)) and (b := of_model(groups, new, measure))
    ]


def of_model(groups: list[SeedGroup], model: str, measure: Measure) -> Spread | None:
    group = find(groups, model)
    return measure(group) if group else None


def validation_after_as_many_epochs(effect: Effect) -> tuple[int, float, float]:
    """The epochs that all runs have had, and the best accuracy on validation until then: old and new, mean over cells."""
    epochs = min(len(run.epochs) for cell in effect.cells for group in cell for run in group.runs)
    means = [[fmean(run.validation(epochs) for run in group.runs) for group in cell] for cell in effect.cells]
    return epochs, fmean(old for old, _ in means), fmean(new for _, new in means)


def _change(old: list[SeedGroup], new: list[SeedGroup]) -> tuple[dict[str, float], tuple[tuple[SeedGroup, SeedGroup], ...]]:
    """By measure, and the cells that it is the mean of; empty where no cell has both."""
    cells = tuple((a, b) for cell in CELLS if (a := find(old, cell)) and (b := find(new, cell)))
    found: dict[str, float] = {}
    for name, measure in (("systematicity", systematicity), ("productivity", productivity)):
        changes = [after.mean - before.mean for a, b in cells if (before := measure(a)) and (after := measure(b))]
        if changes:
            found[name] = fmean(changes)
    return found, cells
