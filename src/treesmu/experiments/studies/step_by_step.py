"""Step by step: Hupkes' localism."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treesmu.data import Dataset

from ..probes.agreement import agreement
from ..probes.equal_rewrites import EqualRewrites
from ..probes.trained_model import load_trained, predictions, sample_each_depth
from ..study import SEQUENCES, TREES, PlannedRun, Setup, Study


class StepByStep(Study):
    """Step by step, which Hupkes et al. (2020) call localism: does a model say of an equation what it says when the inner parts
    are worked out first?

    Models trained on equations of depth 1-7. To work out a sub-expression is to put the lowest expression of equal value that
    is known from the test equations in its place: cos(0)·x + 0 becomes x, cos(x)·0 becomes 0. The two sides themselves stay,
    so something is left to decide. *One step*: one inner sub-expression is worked out, drawn at random. *All steps*: every one,
    from the leaves up, until each side is one function of simplest arguments. What would become a = a is left out.
    *Agreement* is the share of equations with the same verdict before and after. Who always says the same agrees always, so
    accuracy stands beside it. (The study *localism* is the paper's: from deep equations to shallow ones.)
    """

    name = "step_by_step"
    title = "Step by step (Hupkes' localism)"

    models: tuple[str, ...] = (*SEQUENCES, *TREES)
    equations: int = 500  # of each depth, at most

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.each(setup, self.models)

    def analyse(self, run: PlannedRun, folder: Path, corpus: Path) -> dict[str, Any]:
        """``one_step`` and ``all_steps``, each with ``equations``, ``agreement``, ``accuracy_before``, ``accuracy_after``, and
        the same ``by_depth`` (of the equation before).
        """
        del run
        test = sample_each_depth(Dataset.read(corpus, "test"), self.equations, 0)  # the same for every model
        equals, model = EqualRewrites.of(test.prefix), load_trained(folder)
        found = {}
        for name, (rows, texts) in {"one_step": equals.simplify_one(seed=0), "all_steps": equals.simplify_all()}.items():
            asked = test.take(rows)
            found[name] = agreement(predictions(model, asked.prefix), predictions(model, texts), asked.label, asked.depth)
        return found
