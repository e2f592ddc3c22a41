"""Localism: trained on deep equations, tested on shallow ones."""

from __future__ import annotations

from collections.abc import Iterator

from ..study import SEQUENCE_MODELS, TREE_MODELS, PlannedRun, Setup, Study


class Localism(Study):
    """Localism, as the paper defines it: does a model that has seen only deep equations verify shallow ones?

    Trained on equations of depth 5-13. Localism is accuracy on the test equations of depth 1-4. (Hupkes et al. 2020 use
    the word for something else: see *step by step*.)
    """

    name = "localism"
    title = "Localism"

    models: tuple[str, ...] = ("majority", *SEQUENCE_MODELS, *TREE_MODELS)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.plan_runs(setup, self.models, (5, 13))
