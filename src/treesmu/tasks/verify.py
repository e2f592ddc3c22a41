"""Verification: the loss, the probability that equations are correct, for whole data sets, and their measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import DataError, Dataset
from treesmu.models.model import Model

from .measures import by_depth, verification_measures

Array = NDArray[Any]


def verification_loss(logits: Tensor, label: Tensor) -> Tensor:
    """Cross-entropy, summed over the rows. Both (rows,)."""
    return F.binary_cross_entropy_with_logits(logits, label.to(logits), reduction="sum")


def probabilities(model: Model, batches: Iterable[Any]) -> Array:
    """(rows,) float64 of the batches of a plan, such as ``model.batches(plan)``; without gradients."""
    with model.evaluation_mode():
        found = [model(batch).double().sigmoid().numpy(force=True) for batch in batches]
    return np.concatenate(found) if found else np.empty(0)


def evaluate_verification(model: Model, dataset: Dataset) -> tuple[dict[str, Any], Array]:
    """Measures overall and by depth, and the probability of every row. Rows without a label count in no measure."""
    try:
        plan = model.plan(dataset.prefix)
    except DataError as error:
        raise DataError(f"{dataset.source}: {error}") from error
    probability = probabilities(model, model.batches(plan))
    known = dataset.label >= 0
    p, label, depth = probability[known], dataset.label[known], dataset.depth[known]
    return {"overall": verification_measures(p, label), "by_depth": by_depth(p, label, depth)}, probability
