"""ValueTargets: what the value loss teaches, the values of all sub-expressions of a batch at a few points.

Values are computed as for value codes (node_values.py): real arguments and values, principal values, undefined where the
numeric check says so, and where rounding would decide. The values of a variable belong to its name, so the targets of a batch
whose variables were renamed are those of the new names. The points are fixed, or, for a model that reads variables as numbers,
those at which it reads the batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treesmu.expr.leaves import leaf_kind
from treesmu.expr.numeric.sample_points import SamplePoints

from ..trees.forest import Forest
from ..trees.vocab import Vocab
from .node_values import function_values, leaf_values
from .reading_points import RANGES, Values

# Four points of each range, which all variables share: sqrt, asin and acosh are defined at some of them.
POINTS = SamplePoints(seed=20261117, count=16, ranges=RANGES, is_mixed=False)
LARGE = 1e6  # values from here on are no targets
MOST = 5.0  # the largest target; asinh(74.2)


class ValueTargets:
    """Computes the targets of forests of one vocabulary."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.leaves = np.full((len(vocab.leaves), POINTS.count), np.nan)
        for i, token in enumerate(vocab.leaves):
            if leaf_kind(token) in ("variable", "number", "constant"):
                self.leaves[i] = leaf_values(token, POINTS)

    def values(self, forest: Forest, points: Values | None = None) -> NDArray[np.float64]:
        """Return the values of all nodes of a forest, (nodes, points), NaN where they are undefined.

        points: (leaves of the vocabulary, points) the values of variables, NaN for other leaves; by default fixed points.
        """
        leaves = self.leaves if points is None else np.where(np.isnan(points), self.leaves[:, :1], points)
        values = np.empty((forest.size, leaves.shape[1]))
        is_decimal = forest.leaf == self.vocab.number_id
        known = np.minimum(forest.leaf, len(leaves) - 1)  # any row stands for that of a decimal, which is not used
        values[: len(forest.leaf)] = np.where(is_decimal[:, None], forest.number[:, None], leaves[known])
        with np.errstate(all="ignore"):
            for _, function, start, stop in forest.groups.tolist():
                below = forest.children[start:stop, : self.vocab.arities[function]]
                values[start:stop] = function_values(self.vocab.functions[function], *(values[child] for child in below.T))
        return values

    def of(self, forest: Forest, points: Values | None = None) -> NDArray[np.float32]:
        """Return the targets of all nodes of a forest, (nodes, points): asinh of the values, NaN where there is none."""
        values = self.values(forest, points).astype(np.float32)
        with np.errstate(invalid="ignore"):
            values[~(np.abs(values) < LARGE)] = np.nan
        return np.clip(np.arcsinh(values), -MOST, MOST)
