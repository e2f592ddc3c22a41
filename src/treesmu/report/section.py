"""What the sections of a report have in common: which depths a measure is of, and in which order entries come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .figures.figure import Figure
from .folder import Entry, Folder, Study
from .numbers import Spread
from .table import Table
from .text.sentences import RECIPE_NAMES, Condition

SYSTEMATICITY, PRODUCTIVITY, LOCALISM = (1, 7), (8, 19), (1, 4)  # depths of test equations

Part = Table | Figure
Measure = Callable[[Entry], Spread | None]
Pairs = list[tuple[Condition, Spread, Spread]]  # a measure of two entries, under several conditions


@dataclass(frozen=True)
class Section:
    """conclusions: sentences for the summary; none where there is nothing to say yet."""

    study: Study
    parts: tuple[Part, ...]
    conclusions: tuple[str, ...] = ()


# -- measures ----------------------------------------------------------------------------------------------------------


def systematicity(entry: Entry) -> Spread | None:
    return entry.accuracy(*SYSTEMATICITY)


def productivity(entry: Entry) -> Spread | None:
    return entry.accuracy(*PRODUCTIVITY)


MEASURES: dict[str, Measure] = {  # of models trained on depth 1-7; precision and recall are those of productivity
    "train": lambda entry: entry.accuracy_on("train"),
    "validation": lambda entry: entry.accuracy_on("validation"),
    "systematicity": systematicity,
    "productivity": productivity,
    "precision": lambda entry: entry.over_seeds(lambda run: run.pooled(*PRODUCTIVITY).precision),
    "recall": lambda entry: entry.over_seeds(lambda run: run.pooled(*PRODUCTIVITY).recall),
}


def is_the_papers(folder: Folder, entry: Entry) -> bool:
    """Made and trained in the paper's way, so that its figures may stand beside ours."""
    return folder.is_paper_like(entry.corpus) and entry.recipe == "paper"


def test_depths(entries: Iterable[Entry]) -> list[int]:
    """All depths that were tested."""
    return sorted({int(depth) for entry in entries for run in entry.runs for depth in run.test["by_depth"]})


def analysed_depths(study: Study, part: str | None = None) -> list[str]:
    """All depths of the analyses, or of a part of them."""
    found = [analysis if part is None else analysis[part] for analysis in study.analyses.values()]
    return sorted({depth for one in found for depth in one["by_depth"]}, key=int)


# -- order -------------------------------------------------------------------------------------------------------------


def ordered(folder: Folder, entries: Iterable[Entry]) -> list[Entry]:
    """By corpus as in the preset, by recipe, by model as they come first in the study; variants stay in its order."""
    entries = list(entries)
    corpora, recipes, models = list(folder.corpora), list(RECIPE_NAMES), [entry.model for entry in entries]
    return sorted(entries, key=lambda e: (corpora.index(e.corpus), recipes.index(e.recipe), models.index(e.model)))


def conditions(folder: Folder, entries: Iterable[Entry]) -> dict[Condition, list[Entry]]:
    """Entries by corpus and recipe, in order."""
    found: dict[Condition, list[Entry]] = {}
    for entry in ordered(folder, entries):
        found.setdefault((entry.corpus, entry.recipe), []).append(entry)
    return found


def find(entries: Iterable[Entry], model: str, variant: str | None = None) -> Entry | None:
    """The first with this model and variant."""
    return next((e for e in entries if model == e.model and variant in (None, e.variant)), None)


def pairs(folder: Folder, study: Study, old: tuple[str, str | None], new: tuple[str, str | None], measure: Measure) -> Pairs:
    """A measure of two entries, each given by model and variant, under all conditions that have both."""
    found: Pairs = []
    for condition, entries in conditions(folder, study.entries).items():
        a, b = (measure(entry) if (entry := find(entries, *which)) else None for which in (old, new))
        if a and b:
            found.append((condition, a, b))
    return found
