"""The points at which a model with ``points`` reads equations: fixed ones, and in training new ones for each batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treesmu.expr.leaves import leaf_kind
from treesmu.expr.numeric.sample_points import SamplePoints

from ..trees.vocab import Vocab

RANGES = ((0.1, 1.0), (1.0, 3.0), (-1.0, 1.0), (-2.5, 2.5))  # sqrt, asin and acosh are defined in some of them
SEED = 20261117

Values = NDArray[np.float64]  # (leaves of a vocabulary, points), NaN for all leaves but variables


def fixed_points(vocab: Vocab, count: int) -> Values:
    """Return the values of the variables at the points of evaluation; they depend only on names and the number of points."""
    points = SamplePoints(SEED, count, RANGES, is_mixed=False)
    found = np.full((len(vocab.leaves), count), np.nan)
    for i in _variables(vocab):
        found[i] = points.of(vocab.leaves[i])
    return found


def random_points(vocab: Vocab, count: int, rng: np.random.Generator) -> Values:
    """Return random values of the variables at new points. All variables of a point are from the same range."""
    low, high = np.array(RANGES)[np.arange(count) % len(RANGES)].T
    variables = _variables(vocab)
    found = np.full((len(vocab.leaves), count), np.nan)
    found[variables] = rng.uniform(low, high, (len(variables), count))
    return found


def _variables(vocab: Vocab) -> list[int]:
    """Return the ids of the leaves that are variables."""
    return [i for i, token in enumerate(vocab.leaves) if leaf_kind(token) == "variable"]
