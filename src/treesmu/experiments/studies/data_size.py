"""Data size: accuracy with few and with many training equations."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import field_validator

from ..study import MAIN_DEPTHS, Count, PlannedRun, Setup, Study


class DataSize(Study):
    """Data size: how far does more data go?

    Trained on samples of equations of depth 1-7 from one large corpus of near misses. All sizes are trained for the same number
    of *steps*: each model sees ``seen`` equations in all, a few of them many times or many of them once, so that the data
    differ and the amount of computation does not. The measures are accuracy on the test equations of depth 1-7
    (systematicity) and 8-19 (productivity).
    """

    name = "data_size"
    title = "Data size"

    corpora: tuple[str, ...] = ("large",)
    recipes: tuple[str, ...] = ("treesmu",)
    models: tuple[str, ...] = ("tree-smu",)
    sizes: tuple[Count, ...] = (10_000, 30_000, 100_000, 300_000, 1_000_000)
    seen: Count = 3_000_000

    @field_validator("epochs")
    @classmethod
    def _epochs_are_computed(cls, given: dict[str, int]) -> dict[str, int]:
        if given:
            raise ValueError("this study computes its epochs as seen / size; set seen instead")
        return given

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is the number of equations."""
        for size in self.sizes:
            for corpus in self.corpora:
                if size > (available := setup.rows(corpus)):
                    raise ValueError(f"study data_size: {size:,} equations, but corpus {corpus!r} has {available:,}")
            for run in self.plan_runs(setup, self.models, epochs=max(1, round(self.seen / size)), variant=str(size)):
                yield run if size == setup.rows(run.source_corpus, MAIN_DEPTHS) else run.changed(rows=size)
