"""Verification: the task of equations, with the losses and measures of verify.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import Dataset
from treesmu.models.model import Model

from .task import Columns, Measures, Task
from .verify import evaluate_verification, probabilities, verification_loss


def prediction_columns(rows: Dataset, probability: NDArray[Any]) -> Columns:
    """Return the columns of predictions.parquet: the probability that each equation is correct."""
    columns: Columns = {name: getattr(rows, name) for name in ("row", "depth", "label")}
    return columns | {"probability": probability.astype(np.float32)}


class Verification(Task):
    """Whether equations are correct."""

    def loss(self, outputs: Tensor, answers: Any) -> Tensor:
        return verification_loss(outputs, answers)

    def score(self, model: Model, rows: Dataset, plan: Any) -> float:
        """Return the accuracy of the network itself, without calibration."""
        p = probabilities(model, model.batches(plan))
        return float(((p >= 0.5) == (rows.label == 1)).mean())

    def evaluate(self, model: Model, rows: Dataset, plan: Any = None) -> tuple[Measures, Columns]:  # noqa: ARG002
        measured, probability = evaluate_verification(model, rows)
        return measured, prediction_columns(rows, probability)
