"""WeightAverage: an exponential moving average of a model's weights, which is validated and saved in their place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class WeightAverage:
    """The average of the weights after each step, with weights that decay by a factor per step; none if ``decay`` is 0.

    In the first steps the factor is smaller, (1 + steps) / (10 + steps), so that the initial weights are soon forgotten.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.weights = {name: p.detach() for name, p in model.named_parameters()} if decay else {}  # the same memory
        self.means: dict[str, Tensor] = {name: weight.clone() for name, weight in self.weights.items()}

    def update(self, steps: int) -> None:
        """Add the weights to the average. steps: how many have been made before."""
        if self.decay:
            decay = min(self.decay, (1 + steps) / (10 + steps))
            torch._foreach_lerp_(list(self.means.values()), list(self.weights.values()), 1 - decay)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Give the model its averaged weights as long as the context lasts."""
        current = {name: weight.clone() for name, weight in self.weights.items()}
        try:
            self._assign(self.means)
            yield
        finally:
            self._assign(current)

    def _assign(self, values: dict[str, Tensor]) -> None:
        for name, value in values.items():
            self.weights[name].copy_(value)
