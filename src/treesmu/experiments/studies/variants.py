"""Variants: a recipe with settings changed as the preset says, one row for each idea."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field, field_validator

from ..study import PlannedRun, Setup, Study, TrainingChanges

UNCHANGED = "as it is"  # the variant that the others are compared with


class Variants(Study):
    """Variants: does another setting of the recipe help?

    Trained on equations of depth 1-7 with the recipe as it is, and with the settings of one variant at a time changed:
    ``variants`` has a name and settings of training for each. Choose by validation accuracy only; the measures on the test
    equations of depth 1-7 (systematicity) and 8-19 (productivity) say what the choice is worth.
    """

    name = "variants"
    title = "What else was tried"

    models: tuple[str, ...] = ("tree-smu",)
    recipes: tuple[str, ...] = ("treesmu",)
    variants: dict[str, TrainingChanges] = Field(default_factory=dict)  # settings by the name of the variant

    @field_validator("variants")
    @classmethod
    def _check_names(cls, given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        if UNCHANGED in given:
            raise ValueError(f"{UNCHANGED!r} is the name of the recipe without changes; give the variant another name")
        return given

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is its name."""
        yield from self.plan_runs(setup, self.models, variant=UNCHANGED)
        for name, settings in self.variants.items():
            yield from self.plan_runs(setup, self.models, **settings, variant=name)
