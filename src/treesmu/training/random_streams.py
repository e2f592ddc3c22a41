"""Random numbers of a training run: each purpose has a stream of its own, so that neither threads nor restarts matter."""

from __future__ import annotations

import numpy as np

ORDER, BATCH, DROPOUT, SAMPLE, SUBSTITUTE, VALUES, SPLIT = 1, 2, 3, 4, 5, 6, 7  # purposes; stored runs depend on these numbers


def rng_for(purpose: int, *numbers: int) -> np.random.Generator:
    """Return the generator of a purpose. numbers: the seed, and where in the run it is used (epoch, step, ...)."""
    return np.random.default_rng([purpose, *numbers])
