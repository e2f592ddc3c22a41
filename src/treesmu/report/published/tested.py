"""Accuracy of models on test sets of any corpus, from the counts of the analyses of the study ``published``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from ..folder import StudyResults
from ..numbers import Spread
from ..runs import SeedGroup

Depths = tuple[int, int]
FEW = 20  # new equations of a depth, below which the depth is left out of means over depths
SIDES = (0, 1, 2)  # of an equation, that are sides of training equations


@dataclass(frozen=True)
class RightCounts:
    """The counts of one model on one test set. cells: depth, label, sides seen, equations, right; all: equations by depth."""

    cells: tuple[tuple[int, int, int, int, int], ...]
    all: Mapping[int, int]

    @classmethod
    def of(cls, analysis: Mapping[str, Any], test: str) -> RightCounts | None:
        """Return the counts of an analysis, or None if the model was not tested on this test set."""
        if (found := analysis["tests"].get(test)) is None:
            return None
        columns = (found[name] for name in ("depth", "label", "sides_seen", "equations", "right"))
        return cls(tuple(zip(*columns, strict=True)), {int(depth): count for depth, count in found["all"].items()})

    def count(self, depths: Depths, sides: Collection[int] = SIDES, labels: Collection[int] = (0, 1)) -> tuple[int, int]:
        """Return the number of equations with these properties, and of those whose label is predicted."""
        chosen = [(n, right) for _, n, right in self._chosen(depths, sides, labels)]
        return sum(n for n, _ in chosen), sum(right for _, right in chosen)

    def share(self, depths: Depths, sides: Collection[int] = SIDES, labels: Collection[int] = (0, 1)) -> float | None:
        """Return the share of right predictions among the equations with these properties."""
        equations, right = self.count(depths, sides, labels)
        return right / equations if equations else None

    def over_depths(self, depths: Depths) -> float | None:
        """Return the mean of the accuracies at each depth, as in the paper's protocol."""
        found = self._by_depth(depths)
        return fmean(found.values()) if found else None

    def over_equations(self, depths: Depths) -> float | None:
        """Return the accuracy on all equations: every depth counts as often as the test set has equations of it."""
        found = self._by_depth(depths)
        total = sum(self.all[depth] for depth in found)
        return sum(self.all[depth] * value for depth, value in found.items()) / total if total else None

    def _by_depth(self, depths: Depths) -> dict[int, float]:
        equations, right = Counter[int](), Counter[int]()
        for depth, n, r in self._chosen(depths, SIDES, (0, 1)):
            equations[depth] += n
            right[depth] += r
        return {depth: right[depth] / n for depth, n in equations.items() if n >= FEW}

    def _chosen(self, depths: Depths, sides: Collection[int], labels: Collection[int]) -> list[tuple[int, int, int]]:
        low, high = depths
        return [
            (depth, n, right)
            for depth, label, seen, n, right in self.cells
            if low <= depth <= high and seen in sides and label in labels
        ]


MEANS: dict[str, Callable[[RightCounts, Depths], float | None]] = {
    "equations": RightCounts.over_equations,
    "depths": RightCounts.over_depths,
}


def over_seeds(
    study: StudyResults, group: SeedGroup, test: str | None, measure: Callable[[RightCounts], float | None]
) -> Spread | None:
    """Return a measure of a group on a test set, over seeds; None if there is no such test set."""
    if test is None:
        return None

    def of_analysis(analysis: Any) -> float | None:
        tested = RightCounts.of(analysis, test)
        return None if tested is None else measure(tested)

    return study.over_analyses(group, of_analysis)


def accuracy(study: StudyResults, group: SeedGroup, test: str | None, depths: Depths, mean: str = "") -> Spread | None:
    """Return the accuracy of a group on a test set. mean: "equations" or "depths"; by default that of the test set."""
    chosen = MEANS[mean or mean_of(study, test)]
    return over_seeds(study, group, test, partial(_apply, chosen, depths))


def _apply(mean: Callable[[RightCounts, Depths], float | None], depths: Depths, tested: RightCounts) -> float | None:
    return mean(tested, depths)


def mean_of(study: StudyResults, test: str | None) -> str:
    """Return how the accuracy on a test set is averaged: over equations if it is made in the same way as a training set, with
    the mix of depths that comes out; over depths otherwise."""
    return "equations" if test in study.settings["same_way"].values() else "depths"


def is_made_of_files(study: StudyResults, corpus: str) -> bool:
    """Return whether a corpus is made of files that are not part of the project."""
    return bool(study.corpora.get(corpus, {}).get("preset") == "files")


def gold_test(study: StudyResults) -> str | None:
    """Return the test set of blanks with the authors' answers and with wrong ones, or None if there is none."""
    return next((name for name in study.settings["tests"] if study.corpora.get(name, {}).get("blank_files")), None)


def groups_on(study: StudyResults, corpus: str, of_all_depths: bool = False) -> list[SeedGroup]:
    """Return the groups that were trained on depth 1-7 of a corpus, or on all its depths."""
    return [group for group in study.groups if group.condition.corpus == corpus and _is_of_all_depths(group) == of_all_depths]


def _is_of_all_depths(group: SeedGroup) -> bool:
    return group.runs[0].name.split("/")[1] == "depth-all"


def as_published(study: StudyResults) -> list[str]:
    """Return the training corpora that are like the paper's: those with a test set of the same way or of its protocol."""
    chosen = {*study.settings["same_way"], *study.settings["protocol"]}
    return [corpus for corpus in study.settings["corpora"] if corpus in chosen]


WAYS = {"same_way": "in the same way", "protocol": "by the paper's protocol"}  # of testing: by the name of the setting


def chosen_test(study: StudyResults, way: str, corpus: str) -> str | None:
    """Return the test set for models that were trained on a corpus. way: ``same_way`` or ``protocol``."""
    found: dict[str, str] = study.settings[way]
    return found.get(corpus)
