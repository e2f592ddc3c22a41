"""StateMap: states in the plane by t-SNE, on which further states can be placed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FEWEST = 4  # states that t-SNE can arrange
PERPLEXITY = 30.0


class StateMap:
    """A position for each state. The same states always get the same positions."""

    def __init__(self, states: Array, perplexity: float = PERPLEXITY) -> None:
        """Compute the map, which takes seconds. states: (expressions, n)."""
        from openTSNE import TSNE

        self._fitted: Any = None
        if len(states) >= FEWEST:
            perplexity = min(perplexity, (len(states) - 1) / 3)
            self._fitted = TSNE(perplexity=perplexity, neighbors="exact", n_jobs=1, random_state=0).fit(states)
        self.positions = _rounded(self._fitted if self._fitted is not None else np.zeros((len(states), 2)))

    def place(self, states: Array) -> list[list[float]]:
        """Return positions for further states, near those of similar states; the map does not change. states: (rows, n)."""
        return _rounded(np.zeros((len(states), 2)) if self._fitted is None else self._fitted.transform(states))


def _rounded(positions: Any) -> list[list[float]]:
    found: list[list[float]] = np.round(np.asarray(positions, float), 3).tolist()
    return found
