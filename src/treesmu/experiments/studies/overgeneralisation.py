"""Overgeneralisation: how long a model follows the rule where its training set has exceptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import field_validator

from treesmu.data import Vocab

from ..probes.flipped_labels import FlippedLabels, summarise_recorded
from ..study import TREE_MODELS, PlannedRun, Setup, Share, Study


class Overgeneralisation(Study):
    """Overgeneralisation (Hupkes et al. 2020): does a model follow the rule where the training set contains exceptions, and for
    how long?

    Trained on equations of depth 1-7, some of which have the wrong label: a random share of those in which one function is an
    argument of another (a power of a power). After each epoch the model predicts the labels of these equations.
    *Overgeneralisation* is the share for which it predicts the mathematically right label and not the one that it was trained
    on; for comparison, the share of right predictions for the other equations with the same two functions, whose labels were
    kept. A model that has learned the rule overgeneralises at first; one that memorises follows the exceptions.
    """

    name = "overgeneralisation"
    title = "Overgeneralisation"

    models: tuple[str, ...] = TREE_MODELS
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
        """Yield the runs. ``variant`` is the share of exceptions."""
        for share in self.shares:
            exceptions = FlippedLabels(self.outer, self.inner, share)
            yield from self.plan_runs(setup, self.models, exceptions=exceptions, variant=f"{share:g}")

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return what was recorded after each epoch.

        ``outer``, ``inner``, ``share``, ``depths``; ``exceptions`` and ``others``: numbers of equations; ``epochs``: one row
        per epoch with ``epoch``, ``overgeneralisation`` and ``others_right``, both shares; ``peak``: the largest
        overgeneralisation, ``peak_epoch`` its epoch; ``overridden_epoch``: the first epoch from which on the model
        follows most exceptions, or null.
        """
        del corpora
        if run.exceptions is None:
            raise ValueError(f"{run.name}: a run without exceptions")
        return run.exceptions.to_json() | summarise_recorded(folder)
