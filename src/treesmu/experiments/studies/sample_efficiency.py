"""Sample efficiency: how much training data a model needs."""

from __future__ import annotations

from collections.abc import Iterator

from ..study import MAIN_DEPTHS, PlannedRun, Setup, Share, Study


class SampleEfficiency(Study):
    """Sample efficiency: how well does a model generalise that has seen only a part of the training equations?

    Trained on a random part of the training equations of depth 1-7, for the same number of epochs whatever the part, so that
    less data also means fewer steps, as in the paper. The measure is accuracy on the test equations by depth, and on those of
    depth 8-19.
    """

    name = "sample_efficiency"
    title = "Sample efficiency"

    models: tuple[str, ...] = ("tree-lstm", "tree-smu")
    shares: tuple[Share, ...] = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is the share, such as 0.25."""
        for share in self.shares:
            for run in self.plan_runs(setup, self.models, variant=f"{share:g}"):
                yield run if share == 1 else run.changed(rows=round(share * setup.rows(run.source_corpus, MAIN_DEPTHS)))
