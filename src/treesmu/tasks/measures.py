"""Measures of verification: accuracy, precision, recall and others from probabilities and labels, overall and by depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

BINS = 15  # of the calibration error
EDGE = 1e-7  # distance of probabilities from 0 and 1 in the log loss, since float32 rounds a confident model's to 1.0


def verification_measures(probability: Array, label: Array) -> dict[str, float | int | None]:
    """Return the measures of equations; correct is the positive class.

    A measure that is undefined is None, such as the precision if no equation is predicted to be correct.
    """
    called_correct, is_correct = probability >= 0.5, label == 1
    true_positive, false_positive = int((called_correct & is_correct).sum()), int((called_correct & ~is_correct).sum())
    false_negative, true_negative = int((~called_correct & is_correct).sum()), int((~called_correct & ~is_correct).sum())
    precision = _share(true_positive, true_positive + false_positive)
    recall = _share(true_positive, true_positive + false_negative)
    p = np.clip(probability.astype(float), EDGE, 1 - EDGE)
    return {
        "equations": len(label),
        "correct": int(is_correct.sum()),
        "called_correct": int(called_correct.sum()),
        "accuracy": _share(true_positive + true_negative, len(label)),
        "precision": precision,
        "recall": recall,
        "specificity": _share(true_negative, true_negative + false_positive),
        "f1": _share(2 * true_positive, 2 * true_positive + false_positive + false_negative),
        "log_loss": float(-np.log(np.where(is_correct, p, 1 - p)).mean()) if len(label) else None,
        "calibration_error": calibration_error(probability, is_correct) if len(label) else None,
    }


def by_depth(probability: Array, label: Array, depth: Array) -> dict[str, dict[str, float | int | None]]:
    """Return the measures of each depth; keys are strings, as in JSON."""
    return {str(d): verification_measures(probability[depth == d], label[depth == d]) for d in sorted(set(depth.tolist()))}


def calibration_error(probability: Array, is_correct: Array) -> float:
    """Return the expected calibration error: the distance of a bin's mean probability from its share of correct equations."""
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    predicted = np.bincount(bins, probability.astype(float), BINS)
    correct = np.bincount(bins, is_correct.astype(float), BINS)
    return float(np.abs(predicted - correct).sum() / len(probability))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
