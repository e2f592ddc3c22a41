"""Effects: how accuracy changes if only the corpus, only the recipe or only the cell is changed."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from ..figures.palette import compared_cells, is_registered, model_name
from ..numbers import Spread
from ..runs import Condition, Measure, Pairs, SeedGroup, find, recipe_name
from ..section import BOTH

Conditions = dict[Condition, list[SeedGroup]]
OLDEST_FIRST = ("paper", "treesmu-1", "treesmu-symbols", "treesmu")  # recipes: each is compared with the oldest one there is


@dataclass(frozen=True)
class Effect:
    """The change from old to new. both: old and new by measure, as means over cells; cells: their old and new groups."""

    new: str
    old: str
    where: str
    both: dict[str, tuple[Spread, Spread]]
    cells: tuple[tuple[SeedGroup, SeedGroup], ...]


def corpus_effects(conditions: Conditions) -> list[Effect]:
    """Compare each corpus with the first one, for the same recipe."""
    first = next((corpus for corpus, _ in conditions), "")
    return [
        Effect(corpus, first, recipe_name(recipe), *change)
        for (corpus, recipe), groups in conditions.items()
        if corpus != first and (change := _change(conditions.get(Condition(first, recipe), []), groups))[0]
    ]


def recipe_effects(conditions: Conditions) -> list[Effect]:
    """Compare our recipes with the paper's, or with the oldest of ours if there is no other, on the same corpus."""
    old = {corpus: recipe for recipe in reversed(OLDEST_FIRST) for corpus, of in conditions if of == recipe}
    return [
        Effect(recipe, old[corpus], f"{corpus} corpus", *change)
        for (corpus, recipe), groups in conditions.items()
        if old.get(corpus, recipe) != recipe and (change := _change(conditions[Condition(corpus, old[corpus])], groups))[0]
    ]


def cell_comparisons(models: list[str]) -> list[tuple[str, str]]:
    """Return which cells are compared, old and new: Tree-SMU with the paper's others, registered models with Tree-SMU."""
    registered = [("tree-smu", model) for model in models if is_registered(model)]
    return [("tree-lstm", "tree-smu"), ("tree-rnn", "tree-smu"), *registered]


def compare(old: str, new: str) -> str:
    """Return the words for a comparison of two models."""
    return f"{model_name(new)} compared with {model_name(old)}"


def cell_pairs(conditions: Conditions, old: str, new: str, measure: Measure) -> Pairs:
    """Return a measure of two models under every condition that has both."""
    return [
        (condition, a, b)
        for condition, groups in conditions.items()
        if (a := measure_model(groups, old, measure)) and (b := measure_model(groups, new, measure))
    ]


def measure_model(groups: list[SeedGroup], model: str, measure: Measure) -> Spread | None:
    """Return a measure of a model, or None if no group has this model."""
    group = find(groups, model)
    return measure(group) if group else None


def validation_after_equal_epochs(effect: Effect) -> tuple[int, float, float]:
    """Return the epochs that all runs have, and the best validation accuracy until then: old and new, mean over the cells."""
    epochs = min(len(run.epochs) for cell in effect.cells for group in cell for run in group.runs)
    means = [[fmean(run.best_validation(epochs) for run in group.runs) for group in cell] for cell in effect.cells]
    return epochs, fmean(old for old, _ in means), fmean(new for _, new in means)


def _change(
    old: list[SeedGroup], new: list[SeedGroup]
) -> tuple[dict[str, tuple[Spread, Spread]], tuple[tuple[SeedGroup, SeedGroup], ...]]:
    """Return old and new by measure, empty if no cell has both, and the cells that they are means of."""
    models = compared_cells(group.model for group in new)
    cells = tuple((a, b) for model in models if (a := find(old, model)) and (b := find(new, model)))
    both: dict[str, tuple[Spread, Spread]] = {}
    for name, (measure, _) in BOTH.items():
        found = [(before, after) for a, b in cells if (before := measure(a)) and (after := measure(b))]
        if found:
            both[name] = _mean_over_cells([before for before, _ in found]), _mean_over_cells([after for _, after in found])
    return both, cells


def _mean_over_cells(values: list[Spread]) -> Spread:
    """Return the mean for every seed if all cells have the same seeds, or else one mean of their means, which is not tested."""
    by_seed = [value.by_seed for value in values]
    if any(one.keys() != by_seed[0].keys() for one in by_seed):
        return Spread((fmean(value.mean for value in values),))
    return Spread(tuple(fmean(one[seed] for one in by_seed) for seed in by_seed[0]), tuple(by_seed[0]))
