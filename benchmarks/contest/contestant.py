"""Contestant: one way to train and infer on batches of equations, with a dot-product head and Adam at one learning rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .equations import Equations

RATE, DECAY = 1e-3, 1e-5  # the paper's

Rows = NDArray[np.int64]


class Contestant:
    """``prepare`` is done once per data set and is not timed; ``train`` and ``infer`` are timed."""

    name: str
    tree_by_tree = False  # whether the cost of a node does not depend on the batch, so that a part of a batch is timed

    def __init__(self, equations: Equations) -> None:
        self.equations = equations

    def batches(self, rows: Rows, size: int) -> list[Rows]:
        """Return full batches of the rows in this order; fewer rows are one smaller batch."""
        return [rows[at : at + size] for at in range(0, max(len(rows) - size, 0) + 1, size)]

    def prepare(self, rows: Rows) -> Any:
        """Return a batch as ``train`` and ``infer`` take it."""
        return rows

    def train(self, batch: Any, labels: NDArray[np.float32]) -> None:
        raise NotImplementedError

    def infer(self, batch: Any) -> NDArray[np.float32]:
        """Return logits: (rows,)."""
        raise NotImplementedError


class InTorch(Contestant):
    """A model in PyTorch, trained with fused Adam."""

    def __init__(self, equations: Equations, model: nn.Module) -> None:
        super().__init__(equations)
        self.model = model
        self.adam = torch.optim.Adam(model.parameters(), RATE, weight_decay=DECAY, fused=True)

    def logits(self, batch: Any) -> Tensor:
        return self.model(batch)

    def train(self, batch: Any, labels: NDArray[np.float32]) -> None:
        self.adam.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(self.logits(batch), torch.from_numpy(labels)).backward()
        self.adam.step()

    def infer(self, batch: Any) -> NDArray[np.float32]:
        self.model.eval()
        with torch.no_grad():
            found: NDArray[np.float32] = self.logits(batch).numpy()
        self.model.train()
        return found
