"""Productivity and systematicity: accuracy on deeper equations, and on new ones of the trained depths."""

from __future__ import annotations

from collections.abc import Iterator

from ..study import SEQUENCE_MODELS, PlannedRun, Setup, Study


class Productivity(Study):
    """Productivity: does a model that has seen equations of depth 1-7 verify deeper ones? Systematicity: and new ones of the
    same depths?

    Trained on equations of depth 1-7. Productivity is accuracy on the test equations of depth 8-19, systematicity on those of
    depth 1-7; no test equation is in the training set, also not with other variable names, exchanged sides or another order
    of arguments. *Correct* is the positive class for precision and recall.
    """

    name = "productivity"
    title = "Productivity and systematicity"

    models: tuple[str, ...] = ("majority", *SEQUENCE_MODELS, "tree-rnn", "stack-tree-rnn", "tree-lstm", "tree-smu")

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.plan_runs(setup, self.models)
