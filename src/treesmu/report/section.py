"""What the sections of a report have in common: which depths a measure is of, and in which order groups come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .figures.figure import Figure
from .folder import Folder, SeedGroup, StudyResults
from .numbers import Spread
from .table import Table
from .text.sentences import RECIPE_NAMES, Condition

SYSTEMATICITY, PRODUCTIVITY, LOCALISM = (1, 7), (8, 19), (1, 4)  # depths of test equations

Part = Table | Figure
Measure = Callable[[SeedGroup], Spread | None]
Pairs = list[tuple[Condition, Spread, Spread]]  # a measure of two groups, under several conditions


@dataclass(frozen=True)
class Section:
    """conclusions: sentences for the summary; none where there is nothing to say yet."""

    study: StudyResults
    parts: tuple[Part, ...]
    conclusions: tuple[str, ...] = ()


# -- measures ----------------------------------------------------------------------------------------------------------


def systematicity(group: SeedGroup) -> Spread | None:
    return group.accuracy(*SYSTEMATICITY)


def productivity(group: SeedGroup) -> Spread | None:
    return group.accuracy(*PRODUCTIVITY)


MEASURES: dict[str, Measure] = {  # of models trained on depth 1-7; precision and recall are those of productivity
    "train": lambda group: group.accuracy_on("train"),
    "validation": lambda group: group.accuracy_on("validation"),
    "systematicity": systematicity,
    "productivity": productivity,
    "precision": lambda group: group.over_seeds(lambda run: run.pooled(*PRODUCTIVITY).precision),
    "recall": lambda group: group.over_seeds(lambda run: run.pooled(*PRODUCTIVITY).recall),
}


def is_like_the_paper(folder: Folder, group: SeedGroup) -> bool:
    """Made and trained in the paper's way, so that its figures may stand beside ours."""
    return folder.is_paper_like(group.corpus) and group.recipe == "paper"


def test_depths(groups: Iterable[SeedGroup]) -> list[int]:
    """All depths that were tested."""
    return sorted({int(depth) for group in groups for run in group.runs for depth in run.test["by_depth"]})


def analysed_depths(study: StudyResults, part: str | None = None) -> list[str]:
    """All depths of the analyses, or of a part of them."""
    found = [analysis if part is None else analysis[part] for analysis in study.analyses.values()]
    return sorted({depth for one in found for depth in one["by_depth"]}, key=int)


# -- order -------------------------------------------------------------------------------------------------------------


def ordered(folder: Folder, groups: Iterable[SeedGroup]) -> list[SeedGroup]:
    """By corpus as in the preset, by recipe, by model as they come first in the study; variants stay in its order."""
    groups = list(groups)
    corpora, recipes, models = list(folder.corpora), list(RECIPE_NAMES), [group.model for group in groups]
    return sorted(groups, key=lambda e: (corpora.index(e.corpus), recipes.index(e.recipe), models.index(e.model)))


def conditions(folder: Folder, groups: Iterable[SeedGroup]) -> dict[Condition, list[SeedGroup]]:
    """Entries by corpus and recipe, in order."""
    found: dict[Condition, list[SeedGroup]] = {}
    for group in ordered(folder, groups):
        found.setdefault((group.corpus, group.recipe), []).append(group)
    return found


def find(groups: Iterable[SeedGroup], model: str, variant: str | None = None) -> SeedGroup | None:
    """The first with this model and variant."""
    return next((e for e in groups if model == e.model and variant in (None, e.variant)), None)


def pairs(
    folder: Folder, study: StudyResults, old: tuple[str, str | None], new: tuple[str, str | None], measure: Measure
) -> Pairs:
    """A measure of two groups, each given by model and variant, under all conditions that have both."""
    found: Pairs = []
    for condition, groups in conditions(folder, study.groups).items():
        a, b = (measure(group) if (group := find(groups, *which)) else None for which in (old, new))
        if a and b:
            found.append((condition, a, b))
    return found
