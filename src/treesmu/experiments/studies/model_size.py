"""Model size: whether a larger model generalises better."""

from __future__ import annotations

from collections.abc import Iterator

from ..study import PlannedRun, Setup, Study


class ModelSize(Study):
    """Model size: does a model with more parameters generalise better? According to the paper, a larger Tree-LSTM does not.

    Trained on equations of depth 1-7 with states of several sizes n. The measures are accuracy on the test equations of
    depth 1-7 (systematicity) and 8-19 (productivity), beside the number of parameters (``settings.json`` of a run).
    """

    name = "model_size"
    title = "Model size"

    models: tuple[str, ...] = ("tree-lstm", "tree-smu")
    sizes: tuple[int, ...] = (25, 50, 100, 200)

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is n."""
        for n in self.sizes:
            yield from self.plan_runs(setup, self.models, cell={"hidden": n}, variant=str(n))
