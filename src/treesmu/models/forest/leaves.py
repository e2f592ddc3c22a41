"""LeafStates: the states of leaves, by an embedding of the vocabulary's leaves and a small network for decimals."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from treesmu.data import Forest, Vocab


class NumberEncoder(nn.Module):
    r"""The state of a decimal v: :math:`\sigma(W_2\, \sigma(W_1 v + b_1) + b_2)`."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear1 = nn.Linear(1, hidden)
        self.linear2 = nn.Linear(hidden, hidden)

    def forward(self, values: Tensor) -> Tensor:
        """Return the states (numbers, n) of values (numbers,)."""
        out: Tensor = self.linear2(self.linear1(values.unsqueeze(1)).sigmoid()).sigmoid()
        return out


class LeafStates(nn.Module):
    """The states (leaves, n) of the leaves of a forest."""

    def __init__(self, vocab: Vocab, hidden: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(vocab.leaves), hidden)
        self.numbers = NumberEncoder(hidden) if vocab.numbers else None

    def forward(self, forest: Forest) -> Tensor:
        table: Tensor = self.embedding.weight
        is_number = forest.leaf == len(table)
        if self.numbers is None or not is_number.any():
            return nn.functional.embedding(torch.from_numpy(forest.leaf).to(table.device), table)
        values = torch.from_numpy(forest.number[is_number]).to(table)
        ids = forest.leaf.copy()
        ids[is_number] = len(table) + np.arange(len(values))  # the states of numbers are rows after those of the table
        rows = torch.cat([table, self.numbers(values)])
        return nn.functional.embedding(torch.from_numpy(ids).to(table.device), rows)
