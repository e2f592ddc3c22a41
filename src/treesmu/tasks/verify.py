"""Verification: its loss, the probabilities that equations are correct, and the measures of a whole data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from treesmu.data import DataError, Dataset
from treesmu.data.augment.variable_names import unreadable_texts
from treesmu.expr import check_many
from treesmu.models.fitted.calibration import sigmoid
from treesmu.models.model import Model

from .measures import by_depth, verification_measures

Array = NDArray[Any]

CHECKED = 5_000  # equations that are in memory as trees while they are checked
CONFIRMED = {"correct": 1, "incorrect": 0}  # the label that a verdict confirms


def verification_loss(logits: Tensor, label: Tensor) -> Tensor:
    """Return the cross-entropy, summed over the rows. logits, label: (rows,)."""
    return F.binary_cross_entropy_with_logits(logits, label.to(logits), reduction="sum")


def probabilities(model: Model, batches: Iterable[Any]) -> Array:
    """Return (rows,) float64 probabilities for the batches of a plan, such as ``model.batches(plan)``; without gradients.

    They are those of the network itself: the calibration of a model is not used.
    """
    return sigmoid(_logits(model, batches))


def _logits(model: Model, batches: Iterable[Any]) -> Array:
    with model.evaluation_mode():
        parts = [model(batch).cpu().double().numpy() for batch in batches]  # not every device has float64
    return np.concatenate(parts) if parts else np.empty(0)


def readable_rows(model: Model, dataset: Dataset) -> tuple[Dataset, list[str]]:
    """Return the rows that the model can read, and a reason for each of the others; none that it can read is a DataError."""
    reasons = unreadable_texts(dataset.prefix, model.vocab)
    said = [f"{dataset.where(row)}: {reason}" for row, reason in reasons.items()]
    if reasons and len(reasons) == len(dataset):
        raise DataError(f"the model can read none of the {len(dataset):,} equations: {said[0]}")
    return dataset.take(~np.isin(np.arange(len(dataset)), list(reasons))) if reasons else dataset, said


def confirmed_rows(dataset: Dataset, callback: Callable[[str, int], None] = lambda _what, _done: None) -> Dataset:
    """Return the rows whose label the numeric check confirms: correct (1) or incorrect (0).

    callback: called with ``"checked"`` and the number of equations for which that is done.
    """
    keep = np.zeros(len(dataset), bool)
    for start in range(0, len(dataset), CHECKED):
        part = dataset.take(np.arange(start, min(start + CHECKED, len(dataset))))
        verdicts = [CONFIRMED.get(verdict.label) for verdict in check_many(part.expressions())]
        keep[start : start + len(part)] = [
            label == verdict for label, verdict in zip(part.label.tolist(), verdicts, strict=True)
        ]
        callback("checked", start + len(part))
    return dataset.take(keep)


def evaluate_verification(model: Model, dataset: Dataset, calibrated: bool = True) -> tuple[dict[str, Any], Array]:
    """Return the measures overall and by depth, and the probability of every row. Rows without a label are not measured.

    calibrated: use the model's calibration, if it has one; otherwise the probabilities are those of the network itself.
    """
    logits = logits_of(model, dataset)
    if model.calibration is None or not calibrated:
        probability = sigmoid(logits)
    else:
        probability = model.calibration.probabilities(logits, dataset.depth)
    return measures_of(probability, dataset), probability


def logits_of(model: Model, dataset: Dataset) -> Array:
    """Return the logit of every row, (rows,) float64; raise a DataError if one is not a number. They are not calibrated."""
    try:
        plan = model.plan(dataset.prefix)
    except DataError as error:
        raise DataError(f"{dataset.source}: {error}") from error
    logits = _logits(model, model.batches(plan))
    if wrong := int(np.isnan(logits).sum()):
        count = f"{wrong:,} of {len(logits):,} equations"
        raise DataError(f"the model's values are not finite for {count}; train it again with a lower learning rate")
    return logits


def measures_of(probability: Array, dataset: Dataset) -> dict[str, Any]:
    """Return the measures of the rows with a label, overall and by depth."""
    has_label = dataset.label >= 0
    p, label, depth = probability[has_label], dataset.label[has_label], dataset.depth[has_label]
    return {"overall": verification_measures(p, label), "by_depth": by_depth(p, label, depth)}
