"""Sections of a report, one for each study, and the measures that several of them show."""

from __future__ import annotations

from dataclasses import dataclass

from .figures.figure import Figure
from .figures.palette import is_registered
from .folder import StudyResults
from .numbers import Spread
from .runs import Measure, SeedGroup
from .statistics.family import Family
from .table import Table

SYSTEMATICITY, PRODUCTIVITY, LOCALISM = (1, 7), (8, 19), (1, 4)  # depths of the test equations

Part = Table | Figure


@dataclass(frozen=True)
class Section:
    """The section of a study.

    conclusions: sentences for the summary, none if there are no results yet; families: the differences that it states.
    """

    study: StudyResults
    parts: tuple[Part, ...]
    conclusions: tuple[str, ...] = ()
    families: tuple[Family, ...] = ()


def systematicity(group: SeedGroup) -> Spread | None:
    """Return the accuracy on new equations of the depths of training."""
    return group.accuracy(*SYSTEMATICITY)


def productivity(group: SeedGroup) -> Spread | None:
    """Return the accuracy on equations deeper than those of training."""
    return group.accuracy(*PRODUCTIVITY)


BOTH: dict[str, tuple[Measure, tuple[int, int]]] = {  # both accuracies of models trained on depth 1-7, and their depths
    "systematicity": (systematicity, SYSTEMATICITY),
    "productivity": (productivity, PRODUCTIVITY),
}
MEASURES: dict[str, Measure] = {  # of models trained on depth 1-7; precision and recall are those of productivity
    "train": lambda group: group.score_on("train"),
    "validation": lambda group: group.score_on("validation"),
    "systematicity": systematicity,
    "productivity": productivity,
    "precision": lambda group: group.over_seeds(lambda run: run.counts(*PRODUCTIVITY).precision),
    "recall": lambda group: group.over_seeds(lambda run: run.counts(*PRODUCTIVITY).recall),
}


def described_models(study: StudyResults) -> list[str]:
    """Return the models that conclusions describe: Tree-SMU and registered models."""
    return [model for model in study.models if model == "tree-smu" or is_registered(model)]
