"""Finished training runs, and groups of runs that differ only in the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from treesmu.task_names import Measure as TaskMeasure
from treesmu.task_names import measure_of

from .numbers import Counts, Spread, pool, pool_r2, spread_by_seed

ENOUGH_PER_DEPTH = 1_000  # test equations of one depth, above which a single seed is described by more than its numbers
_OWN_RECIPES = ("treesmu", "treesmu-symbols", "treesmu-1", "trees")
RECIPE_NAMES = {"paper": "paper's recipe"} | {name: f"recipe {name}" for name in _OWN_RECIPES}


class Condition(NamedTuple):
    """The corpus and the recipe that a model was trained with."""

    corpus: str
    recipe: str

    def __str__(self) -> str:
        return f"{self.corpus} corpus, {recipe_name(self.recipe)}"


def recipe_name(recipe: str) -> str:
    """Return the name of a recipe for readers."""
    return RECIPE_NAMES.get(recipe, f"recipe {recipe}")


@dataclass(frozen=True)
class FinishedRun:
    """A finished training run.

    name: its path below runs/; settings, test: the contents of its files; epochs: the lines of metrics.jsonl.
    """

    name: str
    settings: dict[str, Any]
    test: dict[str, Any]
    epochs: tuple[dict[str, Any], ...]

    @property
    def training(self) -> dict[str, Any]:
        """The settings of training."""
        return dict(self.settings["settings"])

    @property
    def task(self) -> str:
        """The task: verify for equations."""
        return str(self.training.get("task", "verify"))

    @property
    def measure(self) -> TaskMeasure:
        """What its task is measured by."""
        return measure_of(self.task)

    @property
    def seed(self) -> int:
        """The seed, by which runs of different groups are paired."""
        return int(self.training["seed"])

    @property
    def cell(self) -> dict[str, Any]:
        """The settings of the model, including those left at their default."""
        return dict(self.settings["cell"])

    def counts(self, low: int, high: int) -> Counts:
        """Return the counts over all test equations of depth low to high."""
        return pool(self.test["by_depth"], low, high)

    def score(self, low: int, high: int) -> float | None:
        """Return the measure of its task over all test rows of depth low to high."""
        return self.counts(low, high).accuracy if self.measure.is_share else pool_r2(self.test["by_depth"], low, high)

    @property
    def seconds_per_epoch(self) -> float:
        """The median, which ignores epochs during which the machine was suspended or busy."""
        return float(median(epoch["seconds"] for epoch in self.epochs))

    def best_validation(self, epochs: int) -> float:
        """Return the best score on validation within the first epochs."""
        return float(max(epoch[self.measure.validation] for epoch in self.epochs[:epochs]))

    @property
    def is_still_rising(self) -> bool:
        """Whether the last epoch has a better score on validation than all epochs before."""
        last = self.epochs[-1][self.measure.validation]
        return len(self.epochs) > 1 and last > self.best_validation(len(self.epochs) - 1)


@dataclass(frozen=True)
class SeedGroup:
    """Runs that differ only in the seed: one row of a table, one line of a figure.

    variant: what distinguishes the group within its study; is_paper_like: corpus and recipe are like the paper's, so that its
    numbers can be compared with ours.
    """

    condition: Condition
    model: str
    colour: str
    variant: str
    is_paper_like: bool
    runs: tuple[FinishedRun, ...]

    @property
    def seeds(self) -> int:
        """The number of seeds."""
        return len(self.runs)

    @property
    def parameters(self) -> int:
        """The number of parameters of the model."""
        return int(self.runs[0].settings["parameters"])

    @property
    def rows(self) -> int:
        """The number of training equations."""
        return int(self.runs[0].settings["rows"])

    def over_seeds(self, measure: Callable[[FinishedRun], float | None]) -> Spread | None:
        """Return a measure over the runs of this group."""
        return spread_by_seed((run.seed, measure(run)) for run in self.runs)

    def accuracy(self, low: int, high: int) -> Spread | None:
        """Return the accuracy on the test equations of depth low to high."""
        return self.over_seeds(lambda run: run.counts(low, high).accuracy)

    def score(self, low: int, high: int) -> Spread | None:
        """Return the measure of the task on the test rows of depth low to high."""
        return self.over_seeds(lambda run: run.score(low, high))

    def base_rate(self, low: int, high: int) -> float | None:
        """Return the share of the larger class among the same equations."""
        return self.runs[0].counts(low, high).base_rate

    def score_on(self, split: str) -> Spread | None:
        """Return the measure of the task on the training or validation rows."""
        return self.over_seeds(lambda run: run.test[split][run.measure.key])


Measure = Callable[[SeedGroup], Spread | None]
Pairs = list[tuple[Condition, Spread, Spread]]  # a measure of two groups under each condition: old, new


def is_single_seed(groups: Iterable[SeedGroup]) -> bool:
    """Return whether no group has a second seed."""
    return all(group.seeds == 1 for group in groups)


def is_too_small_for_trends(groups: Iterable[SeedGroup]) -> bool:
    """Return whether no trend may be claimed: one seed, and few test equations at every depth."""
    groups = list(groups)
    return is_single_seed(groups) and all(most_per_depth(group) < ENOUGH_PER_DEPTH for group in groups)


def most_per_depth(group: SeedGroup) -> int:
    """Return the number of test equations at the depth that has the most."""
    by_depth = group.runs[0].test["by_depth"].values()
    return max((int(measures.get("equations", measures.get("trees", 0))) for measures in by_depth), default=0)


def by_condition(groups: Iterable[SeedGroup]) -> dict[Condition, list[SeedGroup]]:
    """Return the groups of each condition, in their order."""
    found: dict[Condition, list[SeedGroup]] = {}
    for group in groups:
        found.setdefault(group.condition, []).append(group)
    return found


def find(groups: Iterable[SeedGroup], model: str, variant: str | None = None) -> SeedGroup | None:
    """Return the first group of this model and, if given, this variant."""
    return next((group for group in groups if model == group.model and variant in (None, group.variant)), None)


def accuracy_at(depth: int) -> Measure:
    """Return the measure that is the accuracy on test equations of one depth."""
    return lambda group: group.accuracy(depth, depth)


def tested_depths(groups: Iterable[SeedGroup]) -> list[int]:
    """Return all depths of the test equations."""
    return sorted({int(depth) for group in groups for run in group.runs for depth in run.test["by_depth"]})
