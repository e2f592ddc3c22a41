"""Finished runs in memory, with given accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reproduced import measures_of_counts
from treesmu.report.figures.palette import COLOURS, INK
from treesmu.report.runs import Condition, FinishedRun, SeedGroup

SHALLOW, DEEP = range(1, 8), range(8, 20)  # the test depths of systematicity and of productivity


def finished_run(
    shallow: int, deep: int, validation: Sequence[float] = (0.5,), seconds: Sequence[float] = (1.0,)
) -> FinishedRun:
    """Return a run. shallow, deep: how many of 100 equations are judged right at each depth of 1-7 and of 8-19."""
    right = dict.fromkeys(SHALLOW, shallow) | dict.fromkeys(DEEP, deep)
    by_depth = {str(depth): measures_of_counts(100, 50, many // 2, many - many // 2) for depth, many in right.items()}
    splits = {"train": {"accuracy": 0.9}, "validation": {"accuracy": 0.8}}
    epochs = [{"validation_accuracy": v, "seconds": s} for v, s in zip(validation, [*seconds] * len(validation), strict=False)]
    settings = {"settings": {"model": "any"}, "cell": {"hidden": 50}, "parameters": 1234, "rows": 80}
    return FinishedRun("a run", settings, {"by_depth": by_depth, **splits}, tuple(epochs))


def seed_group(
    corpus: str, recipe: str, model: str, *runs: FinishedRun, variant: str = "", is_paper_like: bool = False
) -> SeedGroup:
    """Return the group of these runs, one for each seed: 1, 2, ..."""
    seeded = [replace(run, settings={**run.settings, "settings": {**run.training, "seed": k}}) for k, run in enumerate(runs, 1)]
    return SeedGroup(Condition(corpus, recipe), model, COLOURS.get(model, INK), variant, is_paper_like, tuple(seeded))
