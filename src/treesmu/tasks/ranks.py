"""Ranks of answers among candidates, and their measures: top-1 to top-10 and the mean reciprocal rank, with intervals.

Ranks start at 1; 0 means that the answer is not among the candidates. Candidates are sorted by score, the best first; ties
keep the order of the candidates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TOP = 10
RESAMPLES = 1000
INTERVAL = (2.5, 97.5)  # percentiles of a 95% interval


class Ranks(NamedTuple):
    """The ranks of one answer."""

    raw: int  # of the answer itself
    class_: int  # of the best candidate in the answer's equal class
    collapse: int  # of the answer's equal class among all classes, each at its best candidate


def ranking(scores: Array) -> Array:
    """Return the candidates (candidates,), the best first."""
    return np.argsort(-scores, kind="stable")


def ranks(order: Array, class_of: Array, answer: int) -> Ranks:
    """Return the ranks of an answer.

    order: candidates, the best first; class_of: (candidates,) equal classes; answer: its candidate, negative if it is none.
    """
    if answer < 0:
        return Ranks(0, 0, 0)
    classes = class_of[order]
    first = int(np.argmax(classes == class_of[answer]))
    return Ranks(int(np.argmax(order == answer)) + 1, first + 1, len(np.unique(classes[: first + 1])))


def rank_measures(ranks_of_blanks: Array, rng: np.random.Generator) -> dict[str, Any]:
    """Return the shares of ranks (blanks,) within the first 1 to 10, the mean reciprocal rank, and their intervals.

    The intervals are from a bootstrap: as many blanks are drawn with replacement, a thousand times.
    """
    rank = np.where(ranks_of_blanks > 0, ranks_of_blanks, np.inf)
    values = np.concatenate([rank[:, None] <= np.arange(1, TOP + 1), 1 / rank[:, None]], axis=1)  # (blanks, 11)
    mean = values.mean(0)
    times = rng.multinomial(len(rank), np.full(len(rank), 1 / len(rank)), size=RESAMPLES)  # how often each is drawn
    low, high = np.percentile(times @ values / len(rank), INTERVAL, axis=0)
    intervals = np.stack([low, high], axis=1).tolist()
    return {
        "top": mean[:TOP].tolist(),
        "top_interval": intervals[:TOP],
        "mrr": float(mean[TOP]),
        "mrr_interval": intervals[TOP],
    }
