"""The value loss: a linear map from the state of every node is trained to tell the value of its sub-expression.

The targets are asinh of the value at a few fixed points (data/augment/value_targets.py), or at those points at which the model
reads the sub-expression, where it has a state for each. They come from numeric values, which
the paper's recipe does not have: always report this loss as a setting.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data.augment.value_targets import POINTS

BETA = 0.1  # errors below it count by their square


class ValueMap(nn.Module):
    """The linear map from states to values. It is used in training only, and is no part of a model."""

    def __init__(self, n: int, rng: np.random.Generator, values: int = POINTS.count) -> None:
        """values: of one state; 1 if a node has a state for each point."""
        super().__init__()
        bound = n**-0.5  # as nn.Linear
        self.weight = nn.Parameter(torch.from_numpy(rng.uniform(-bound, bound, (values, n)).astype(np.float32)))
        self.bias = nn.Parameter(torch.zeros(values))

    def forward(self, states: Tensor) -> Tensor:
        """Return asinh of the value of each node at each point: (nodes, n) or, a state for each point, (nodes, K·n)."""
        of_points = states.unflatten(-1, (-1, self.weight.shape[1]))  # (nodes, 1 or K, n)
        return F.linear(of_points, self.weight, self.bias).flatten(1)


def value_loss(predicted: Tensor, targets: Tensor) -> Tensor:
    """Return the smooth L1 distance, summed over the targets. predicted, targets: (nodes, points), NaN where there is none."""
    targets = targets.to(predicted)
    is_known = ~targets.isnan()
    nothing = torch.zeros_like(targets)
    known = torch.where(is_known, predicted, nothing), torch.where(is_known, targets, nothing)
    return F.smooth_l1_loss(*known, beta=BETA, reduction="sum")
