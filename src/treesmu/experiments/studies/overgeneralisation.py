"""Overgeneralisation: how fast exceptions override the rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import field_validator

from treesmu.data import Vocab

from ..probes.flipped_labels import FlippedLabels, answers_by_epoch
from ..study import TREES, PlannedRun, Setup, Share, Study


class Overgeneralisation(Study):
    """Overgeneralisation (Hupkes et al. 2020): does a model follow the rule where the training set makes an exception, and how
    long?

    Trained on equations of depth 1-7, some of which have the wrong label: a share of those that contain one function right
    inside another (a power that is raised to a power), drawn at random. After each epoch the model is asked about
    these very equations. *Overgeneralisation* is the share of them that it still judges as mathematics does, against the
    label that it was trained on; beside it, the share judged rightly of the equations with the same two functions that have
    kept their labels. A model that knows the rule overgeneralises at first; one that learns by heart follows the exceptions.
    """

    name = "overgeneralisation"
    title = "Overgeneralisation"

    models: tuple[str, ...] = TREES
    outer: str = "Pow"
    inner: str = "Pow"
    shares: tuple[Share, ...] = (0.01, 0.1, 0.5)

    @field_validator("outer", "inner")
    @classmethod
    def _function_is_known(cls, given: str) -> str:
        if given not in (known := Vocab.default().functions):
            raise ValueError(f"unknown function {given!r}; known: {', '.join(known)}")
        return given

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """``variant`` is the share of exceptions."""
        for share in self.shares:
            exceptions = FlippedLabels(self.outer, self.inner, share)
            yield from self.each(setup, self.models, exceptions=exceptions, variant=f"{share:g}")

    def analyse(self, run: PlannedRun, folder: Path, corpus: Path) -> dict[str, Any]:
        """What was said after each epoch.

        ``outer``, ``inner``, ``share``, ``depths``; ``exceptions`` and ``others``: numbers of equations; ``epochs``: a row an
        epoch with ``epoch``, ``overgeneralisation`` and ``others_right``, both shares; ``peak``: the largest
        overgeneralisation, ``peak_epoch`` its epoch; ``overridden_epoch``: the first epoch from which on most exceptions are
        followed to the end, or null.
        """
        del corpus
        if run.exceptions is None:
            raise ValueError(f"{run.name}: a run without exceptions")
        return run.exceptions.told() | answers_by_epoch(folder)
