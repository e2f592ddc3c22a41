"""LSTMEncoder: an LSTM over the tokens of a side, including parentheses and commas."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data import Vocab
from treesmu.data.trees.sequence_batch import SequenceBatch

from ..normalise import Norm
from .base import SequenceEncoder


class LSTMEncoder(SequenceEncoder):
    r"""LSTM of Hochreiter and Schmidhuber (1997), with a forget gate.

    .. math::
        i, f, o &= \sigma(W x_t + U h_{t-1} + b), \quad u = \tanh(W_u x_t + U_u h_{t-1} + b_u) \\
        c_t     &= f \odot c_{t-1} + i \odot u, \quad h_t = o \odot \tanh(c_t)

    where :math:`x_t` is the vector of a token or the state of the layer below. The state of a side is :math:`h` after its
    last token, in the last layer. Dropout is that of Zaremba et al. (2014), on the connections that are not recurrent: the
    vectors of tokens, the states between layers, and the state of the side.
    """

    def __init__(self, vocab: Vocab, hidden: int = 50, layers: int = 1, dropout: float = 0.0, norm: Norm = "none") -> None:
        super().__init__(vocab, hidden, layers, dropout, norm)
        # PyTorch's dropout is that between layers; the other two are applied below.
        self.lstm = nn.LSTM(hidden, hidden, layers, dropout=dropout if layers > 1 else 0.0)

    def settings(self) -> dict[str, Any]:
        return {"hidden": self.hidden, "layers": self.layers, "dropout": self.dropout}

    def sequences(self, batch: SequenceBatch, table: Tensor) -> Tensor:
        return torch.cat([self._chunk(batch, chunk, table) for chunk in batch.chunks])

    def _chunk(self, batch: SequenceBatch, chunk: slice, table: Tensor) -> Tensor:
        """Return the states of some sequences of similar length.

        The padding after the end of a sequence does not change the states before it. PyTorch's packed sequences need no
        padding, but their backward pass is several times slower: it fills a tensor as large as the batch at every step.
        """
        tokens = torch.from_numpy(batch.tokens[chunk, : batch.lengths[chunk.start]]).to(table.device)
        vectors = F.dropout(F.embedding(tokens.T, table), self.dropout, self.training)  # (longest, sequences, n)
        states, _ = self.lstm(vectors)
        last = torch.from_numpy(batch.lengths[chunk] - 1).to(table.device)
        return F.dropout(states[last, torch.arange(len(last), device=table.device)], self.dropout, self.training)
