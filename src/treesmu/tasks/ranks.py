"""Ranks of answers among candidates, and their measures: top-1 to top-10 and the mean reciprocal rank, with intervals.

A rank counts from 1; 0 means that the answer was not found. Candidates are sorted by score, the best first; ties keep the
order of the candidates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TOP = 10
RESAMPLES = 1000
INTERVAL = (2.5, 97.5)  # per cent: what lies between is the 95% interval


class Ranks(NamedTuple):
    """Of one answer."""

    raw: int  # of the very answer
    class_: int  # the best position of a candidate of its class
    collapse: int  # the position of its class among the classes, each at its best candidate


def ranking(scores: Array) -> Array:
    """(candidates,) the best first."""
    return np.argsort(-scores, kind="stable")


def ranks(order: Array, class_of: Array, answer: int) -> Ranks:
    """order: candidates, the best first; class_of: (candidates,); answer: which candidate it is, negative for none."""
    if answer < 0:
        return Ranks(0, 0, 0)
    classes = class_of[order]
    first = int(np.argmax(classes == class_of[answer]))
    return Ranks(int(np.argmax(order == answer)) + 1, first + 1, len(np.unique(classes[: first + 1])))


def rank_measures(found: Array, rng: np.random.Generator) -> dict[str, Any]:
    """Of ranks (blanks,): the shares within the first 1 to 10, the mean reciprocal rank, and the intervals of all of them.

    Intervals come from drawing as many blanks with replacement, a thousand times.
    """
    rank = np.where(found > 0, found, np.inf)
    values = np.concatenate([rank[:, None] <= np.arange(1, TOP + 1), 1 / rank[:, None]], axis=1)  # (blanks, 11)
    mean = values.mean(0)
    times = rng.multinomial(len(rank), np.full(len(rank), 1 / len(rank)), size=RESAMPLES)  # how often each blank is drawn
    low, high = np.percentile(times @ values / len(rank), INTERVAL, axis=0)
    intervals = np.stack([low, high], axis=1).tolist()
    return {
        "top": mean[:TOP].tolist(),
        "top_interval": intervals[:TOP],
        "mrr": float(mean[TOP]),
        "mrr_interval": intervals[TOP],
    }
