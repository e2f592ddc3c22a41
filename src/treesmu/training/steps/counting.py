"""Learning by counting, the only way in which the majority class learns."""

from __future__ import annotations

import numpy as np

from treesmu.data import Dataset
from treesmu.models.majority import fit
from treesmu.models.model import Model

from ..checkpoint import TrainingProgress


def count_labels(model: Model, train: Dataset, progress: TrainingProgress) -> None:
    """Fit the majority class: the share of correct training equations, with their entropy as the loss."""
    fit(model, train.label.astype(float))  # a copy, since torch warns of arrays that cannot be written to
    share = float(np.clip(train.label.mean(), 1e-7, 1 - 1e-7))
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    progress.rows, progress.nodes = len(train), int(train.size.sum())
    progress.loss = float(entropy) * len(train)
