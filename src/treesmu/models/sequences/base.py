"""SequenceEncoder: what the LSTM and the transformers share. Each side of an equation is a sequence, read by itself."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from treesmu.data import Vocab
from treesmu.data.trees.sequence_batch import Form, SequenceBatch, token_names
from treesmu.data.trees.sequence_plan import SequencePlan

from ..forest.leaves import NumberEncoder
from ..normalise import unit_length


class SequenceEncoder(nn.Module):
    """The states of sides: ``encoder(encoder.plan(texts).batch(rows))``. What differs is :meth:`sequences`.

    unit: states are scaled to length 1.
    """

    form: Form = "parentheses"

    def __init__(self, vocab: Vocab, hidden: int, layers: int, dropout: float, unit: bool) -> None:
        super().__init__()
        for name, value in {"hidden": hidden, "layers": layers}.items():
            if value < 1:
                raise ValueError(f"{name} is at least 1, not {value}")
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout is a rate from 0 to below 1, not {dropout}")
        self.vocab, self.unit = vocab, unit
        self.hidden, self.layers, self.dropout = hidden, layers, dropout
        self.embedding = nn.Embedding(len(token_names(vocab, self.form)), hidden)
        self.numbers = NumberEncoder(hidden) if vocab.numbers else None

    def settings(self) -> dict[str, Any]:
        """The arguments that it was made with, but for the vocabulary and unit."""
        raise NotImplementedError

    def sequences(self, batch: SequenceBatch, table: Tensor) -> Tensor:
        """The state of each sequence: (sequences, n). table: (tokens and the batch's decimals, n), a vector a token id."""
        raise NotImplementedError

    def plan(self, texts: Any) -> SequencePlan:
        """Prefix strings as integer arrays, from which batches are made quickly."""
        return SequencePlan.from_prefix(texts, self.vocab, self.form)

    def forward(self, batch: SequenceBatch) -> Tensor:
        """The state of each expression: (rows, n), or (rows, 2, n) for the two sides of equations."""
        if batch.form != self.form or (batch.vocab is not self.vocab and batch.vocab != self.vocab):
            raise ValueError(
                f"this batch was made with the form {batch.form!r} and its own vocabulary, "
                f"not with those of the encoder ({self.form!r}); make it with encoder.plan"
            )
        table = self._table(batch)
        states = self.sequences(batch, table) if len(batch) else table.new_zeros(0, self.hidden)
        if self.unit:
            states = unit_length(states)
        roots = torch.from_numpy(batch.roots).to(states.device)
        return states[roots if batch.is_equations else roots[:, 0]]

    def _table(self, batch: SequenceBatch) -> Tensor:
        table: Tensor = self.embedding.weight
        if self.numbers is None or not batch.numbers.size:
            return table
        return torch.cat([table, self.numbers(torch.from_numpy(batch.numbers).to(table))])
