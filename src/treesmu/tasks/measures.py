"""Measures of verification: from probabilities and labels to accuracy, precision, recall and so on, overall and by depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

BINS = 15  # of the calibration error
EDGE = 1e-7  # probabilities are kept this far from 0 and 1 in the log loss: a float32 model says 1.0 when it is sure


def verification_measures(probability: Array, label: Array) -> dict[str, float | int | None]:
    """Of some equations; correct is the positive class. None where a measure has no meaning, as precision without positives."""
    said, is_correct = probability >= 0.5, label == 1
    true_positive, false_positive = int((said & is_correct).sum()), int((said & ~is_correct).sum())
    false_negative, true_negative = int((~said & is_correct).sum()), int((~said & ~is_correct).sum())
    precision = _share(true_positive, true_positive + false_positive)
    recall = _share(true_positive, true_positive + false_negative)
    p = np.clip(probability.astype(float), EDGE, 1 - EDGE)
    return {
        "equations": len(label),
        "correct": int(is_correct.sum()),
        "called_correct": int(said.sum()),
        "accuracy": _share(true_positive + true_negative, len(label)),
        "precision": precision,
        "recall": recall,
        "specificity": _share(true_negative, true_negative + false_positive),
        "f1": _share(2 * true_positive, 2 * true_positive + false_positive + false_negative),
        "log_loss": float(-np.log(np.where(is_correct, p, 1 - p)).mean()) if len(label) else None,
        "calibration_error": calibration_error(probability, is_correct) if len(label) else None,
    }


def by_depth(probability: Array, label: Array, depth: Array) -> dict[str, dict[str, float | int | None]]:
    """The measures of each depth; keys are strings, as in JSON."""
    return {str(d): verification_measures(probability[depth == d], label[depth == d]) for d in sorted(set(depth.tolist()))}


def calibration_error(probability: Array, is_correct: Array) -> float:
    """The expected calibration error: how far the mean probability of a bin is from its share of correct equations."""
    which = np.minimum((probability * BINS).astype(int), BINS - 1)
    said = np.bincount(which, probability.astype(float), BINS)
    was = np.bincount(which, is_correct.astype(float), BINS)
    return float(np.abs(said - was).sum() / len(probability))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
