"""SequenceEncoder: the base class of the encoders that read each side of an equation as a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from treesmu.data import Vocab
from treesmu.data.trees.sequence_batch import Form, SequenceBatch, token_names
from treesmu.data.trees.sequence_plan import SequencePlan
from treesmu.expr import Expr

from ..forest.leaves import NumberEncoder
from ..normalise import Norm, check_norm, normalised


class SequenceEncoder(nn.Module):
    """Base class of encoders of sequences: ``encoder(encoder.plan(texts).batch(rows))``. A subclass defines :meth:`sequences`.

    norm: how states are normalised: ``none``, ``unit`` (to length 1) or ``layer`` (layer norm).
    """

    form: Form = "parentheses"

    def __init__(self, vocab: Vocab, hidden: int, layers: int, dropout: float, norm: Norm) -> None:
        super().__init__()
        for name, value in {"hidden": hidden, "layers": layers}.items():
            if value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, not {dropout}")
        self.vocab, self.norm = vocab, check_norm(norm)
        self.hidden, self.layers, self.dropout = hidden, layers, dropout
        self.embedding = nn.Embedding(len(token_names(vocab, self.form)), hidden)
        self.numbers = NumberEncoder(hidden) if vocab.numbers else None

    def settings(self) -> dict[str, Any]:
        """Return the arguments of ``__init__`` except the vocabulary and norm."""
        raise NotImplementedError

    def sequences(self, batch: SequenceBatch, table: Tensor) -> Tensor:
        """Return the state of each sequence, (sequences, n). table: (token ids, n) a vector for each token and decimal."""
        raise NotImplementedError

    def plan(self, texts: Any) -> SequencePlan:
        """Turn prefix strings into integer arrays, from which batches are made quickly."""
        return SequencePlan.from_prefix(texts, self.vocab, self.form)

    def plan_exprs(self, exprs: Sequence[Expr]) -> SequencePlan:
        """Turn expressions into integer arrays, from which batches are made quickly."""
        return SequencePlan.from_exprs(exprs, self.vocab, self.form)

    def forward(self, batch: SequenceBatch) -> Tensor:
        """Return the state of each expression, (rows, n), or of both sides of each equation, (rows, 2, n)."""
        if batch.form != self.form or (batch.vocab is not self.vocab and batch.vocab != self.vocab):
            raise ValueError(
                f"this batch of the form {batch.form!r} was made for another form or vocabulary than those of this encoder "
                f"({self.form!r}); make it with encoder.plan"
            )
        table = self._table(batch)
        states = normalised(self.sequences(batch, table) if len(batch) else table.new_zeros(0, self.hidden), self.norm)
        roots = torch.from_numpy(batch.roots).to(states.device)
        return states[roots if batch.is_equations else roots[:, 0]]

    def _table(self, batch: SequenceBatch) -> Tensor:
        table: Tensor = self.embedding.weight
        if self.numbers is None or not batch.numbers.size:
            return table
        return torch.cat([table, self.numbers(torch.from_numpy(batch.numbers).to(table))])
