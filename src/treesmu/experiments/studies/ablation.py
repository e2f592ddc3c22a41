"""Ablation: the recipe treesmu with one part at a time set back to the paper's recipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treesmu.training.settings import TrainSettings

from ..study import PlannedRun, Setup, Study

SETTINGS_OF_A_PART = {  # the settings that are set back to the paper's values, by the name of the part
    "head": ("head",),
    "unit": ("norm",),
    "subexpressions": ("subexpressions",),
    "rename": ("rename",),
    "substitutes": ("substitutes",),
    "steps": ("batch", "learning_rate", "schedule"),
}


class Ablation(Study):
    """Ablation: which parts of the recipe treesmu matter?

    Trained on equations of depth 1-7 with the whole recipe, and with one part of it at a time set back to the paper's recipe:
    the distance head, states of length 1, the sub-expression loss, renamed variables, substitutes, and the optimisation steps
    (batch size, learning rate and schedule together; the paper's batches are smaller, so there are more steps in the same
    number of epochs). The measures are accuracy on the test equations of depth 1-7 (systematicity) and 8-19 (productivity);
    the contribution of a part is the difference from the whole recipe.
    """

    name = "ablation"
    title = "The recipe, taken apart"

    models: tuple[str, ...] = ("tree-smu",)
    recipes: tuple[str, ...] = ("treesmu",)
    parts: tuple[str, ...] = tuple(SETTINGS_OF_A_PART)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is ``whole``, or the name of the part that is left out."""
        yield from self.plan_runs(setup, self.models, variant="whole")
        for part in self.parts:
            yield from self.plan_runs(setup, self.models, variant=part, **_paper_values(part))


def _paper_values(part: str) -> dict[str, Any]:
    if part not in SETTINGS_OF_A_PART:
        raise ValueError(f"study ablation: unknown part {part!r}; known: {', '.join(SETTINGS_OF_A_PART)}")
    return {name: TrainSettings.model_fields[name].default for name in SETTINGS_OF_A_PART[part]}
