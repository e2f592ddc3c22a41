"""Localism: from deep equations to shallow ones."""

from __future__ import annotations

from collections.abc import Iterator

from ..study import SEQUENCES, TREES, PlannedRun, Setup, Study


class Localism(Study):
    """Localism, as the paper has it: does a model that has seen only deep equations verify shallow ones?

    Trained on equations of depth 5-13. Localism is accuracy on the test equations of depth 1-4. (Hupkes et al. 2020 mean
    something else by the word: see *step by step*.)
    """

    name = "localism"
    title = "Localism"

    models: tuple[str, ...] = ("majority", *SEQUENCES, *TREES)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.each(setup, self.models, (5, 13))
