"""Stack size: how many rows of the stack are in use, and whether more of them help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from treesmu.data import Dataset

from ..depth_range import DepthRange
from ..probes.trained_model import load_trained, sample_each_depth
from ..study import Count, PlannedRun, Setup, Study

IN_USE = 0.001  # the paper's threshold of a row's norm


class StackSize(Study):
    """Stack size: does a larger stack help, and how much of it is used?

    Tree-SMU trained on equations of depth 1-7 with stacks of p rows. The measures are accuracy on the test equations by depth,
    and the mean number of rows in use (their norm is above 0.001, as in the paper) in the stacks of the root's two
    children, on test equations of depth 3-13.
    """

    name = "stack_size"
    title = "Stack size"

    sizes: tuple[int, ...] = (1, 2, 3, 7, 14)
    depths: DepthRange = (3, 13)
    equations: Count = 1000  # at most, of each depth

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs. ``variant`` is p."""
        for p in self.sizes:
            yield from self.plan_runs(setup, ("tree-smu",), cell={"stack": p}, variant=str(p))

    def check_analysis(self, setup: Setup) -> None:
        for corpus in self.corpora:
            setup.require_test_depths(corpus, self.depths)

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return ``stack``: p; ``by_depth``: for each depth ``equations``, ``rows_in_use`` and ``norm``.

        ``rows_in_use`` is the mean over both sides of all equations; ``norm`` is the mean norm of each row, the top first.
        """
        model = load_trained(folder)
        test = sample_each_depth(
            Dataset.read(corpora[run.corpus], "test").select(self.depths), self.equations, run.settings.seed
        )
        norms = _norms_of_rows(model, test)  # (equations, sides, p)
        found = {}
        for depth in sorted(set(test.depth.tolist())):
            chosen = norms[test.depth == depth]
            rows_in_use = float((chosen > IN_USE).sum(2).mean())
            found[str(depth)] = {"equations": len(chosen), "rows_in_use": rows_in_use, "norm": chosen.mean((0, 1)).tolist()}
        return {"stack": int(norms.shape[2]), "by_depth": found}


def _norms_of_rows(model: Any, test: Dataset) -> Any:
    """Return the norms of the stack rows of both sides, (equations, 2, p)."""
    found = []
    with model.evaluation_mode():
        for batch in model.batches(model.plan(test.prefix)):
            forest = model.encoder.one_point_each(batch)[0]
            stacks = model.encoder.states_and_memories(forest)[1]  # (nodes + 1, p, n)
            sides = forest.roots.reshape(len(forest), 2)
            found.append(stacks[sides].norm(dim=3).numpy())
    return np.concatenate(found)
