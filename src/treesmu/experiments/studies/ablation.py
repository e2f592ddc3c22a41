"""Ablation: a recipe with one part at a time set back to the paper's recipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treesmu.training.settings import TrainSettings

from ..study import PlannedRun, Setup, Study

SETTINGS_OF_A_PART = {  # the settings that are set back to the paper's values, by the name of the part
    "head": ("head",),
    "unit": ("norm",),
    "norm": ("norm",),
    "points": ("points",),
    "hidden": ("cell",),
    "values": ("values",),
    "subexpressions": ("subexpressions",),
    "pairs": ("pairs",),
    "rename": ("rename",),
    "substitutes": ("substitutes",),
    "steps": ("batch", "learning_rate", "schedule"),
    "warmup": ("warmup",),
    "clip": ("clip",),
}
PARTS = {  # of each recipe
    "treesmu": ("points", "hidden", "head", "norm", "values", "subexpressions", "steps", "warmup", "clip"),
    "treesmu-1": ("head", "unit", "subexpressions", "rename", "substitutes", "steps"),
    "treesmu-symbols": (
        *("hidden", "head", "norm", "values", "subexpressions", "pairs", "rename", "substitutes", "steps", "warmup", "clip"),
    ),
}
PAPERS_CELL = {"depth": 1}


class Ablation(Study):
    """Ablation: which parts of the recipe matter?

    Trained on equations of depth 1-7 with a whole recipe, and with one part of it at a time set back to the paper's recipe. The
    parts of treesmu: variables read as numbers at points, a hidden layer in the cell, the distance head, layer norm of states,
    the value loss, the sub-expression loss, the optimisation steps (batch size, learning rate and schedule together; the
    paper's batches are smaller, so there are more steps in the same number of epochs), warm-up and clipping. The recipe
    treesmu-symbols has renamed variables, substitutes and more pairs instead of points; treesmu-1 has states of length 1
    instead of layer norm, and no hidden layer, value loss, warm-up or clipping. The measures are accuracy on
    the test equations of depth 1-7 (systematicity) and 8-19 (productivity); the contribution of a part is the difference from
    the whole recipe.
    """

    name = "ablation"
    title = "The recipe, taken apart"

    models: tuple[str, ...] = ("tree-smu",)
    recipes: tuple[str, ...] = ("treesmu",)
    parts: tuple[str, ...] = ()  # all parts of the recipe

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is ``whole``, or the name of the part that is left out."""
        for recipe in self.recipes:
            one = self.model_copy(update={"recipes": (recipe,)})
            yield from one.plan_runs(setup, self.models, variant="whole")
            for part in self._parts_of(recipe):
                yield from one.plan_runs(setup, self.models, variant=part, **_paper_values(part))

    def _parts_of(self, recipe: str) -> tuple[str, ...]:
        """Return the parts of a recipe that are left out one by one: all of them, or those that are asked for."""
        known = PARTS.get(recipe, ())
        if not known:
            raise ValueError(f"study ablation: the recipe {recipe} has no parts; recipes with parts: {', '.join(PARTS)}")
        if unknown := [part for part in self.parts if part not in SETTINGS_OF_A_PART]:
            raise ValueError(f"study ablation: unknown part {unknown[0]!r}; known: {', '.join(SETTINGS_OF_A_PART)}")
        return tuple(part for part in known if part in self.parts) if self.parts else known


def _paper_values(part: str) -> dict[str, Any]:
    names = SETTINGS_OF_A_PART[part]
    return {name: PAPERS_CELL if name == "cell" else TrainSettings.model_fields[name].default for name in names}
