"""Step by step: whether a model's prediction stays when inner parts are simplified (Hupkes' localism)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from treesmu.data import Dataset

from ..probes.agreement import agreement
from ..probes.equal_rewrites import EqualRewrites
from ..probes.trained_model import load_trained, predictions, sample_each_depth
from ..study import SEQUENCE_MODELS, TREE_MODELS, Count, PlannedRun, Setup, Study


class StepByStep(Study):
    """Step by step, which Hupkes et al. (2020) call localism: does a model predict the same for an equation when its inner
    parts are simplified first?

    Models trained on equations of depth 1-7. To simplify a sub-expression is to replace it by the lowest expression of equal
    value that occurs in the test equations: cos(0)·x + 0 becomes x, cos(x)·0 becomes 0. The two sides themselves stay, so that
    something is left to decide. *One step*: one inner sub-expression, drawn at random, is simplified. *All steps*: every one
    is, until each side is one function of simplest arguments. Equations that would become a = a are left out. *Agreement* is
    the share of equations with the same prediction before and after. A constant predictor agrees with itself perfectly, so
    accuracy is reported next to it. (The study *localism* is the paper's: from deep equations to shallow ones.)
    """

    name = "step_by_step"
    title = "Step by step (Hupkes' localism)"

    models: tuple[str, ...] = (*SEQUENCE_MODELS, *TREE_MODELS)
    equations: Count = 500  # at most, of each depth

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.plan_runs(setup, self.models)

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return ``one_step`` and ``all_steps``.

        Each has ``equations``, ``agreement``, ``accuracy_before``, ``accuracy_after``, and the same ``by_depth`` (the depth
        of the equation before).
        """
        test = sample_each_depth(Dataset.read(corpora[run.corpus], "test"), self.equations, 0)  # the same for every model
        rewrites, model = EqualRewrites.from_prefix(test.prefix), load_trained(folder)
        found = {}
        for name, (rows, texts) in {"one_step": rewrites.simplify_one(seed=0), "all_steps": rewrites.simplify_all()}.items():
            before = test.take(rows)
            found[name] = agreement(predictions(model, before.prefix), predictions(model, texts), before.label, before.depth)
        return found
