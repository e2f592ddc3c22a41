"""TreeTransformerEncoder: a transformer with the position of each token in the tree, which needs no parentheses."""

from __future__ import annotations

from math import atanh
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from treesmu.data import Vocab
from treesmu.data.trees.sequence_batch import Form, SequenceBatch

from ..normalise import Norm
from .transformer import TransformerEncoder

FIRST_DECAY = 0.7


class TreeTransformerEncoder(TransformerEncoder):
    r"""Transformer with the tree positions of Shiv and Quirk (2019); its tokens are the nodes of a side in preorder.

    The position of a node is the stack of branches from it up to the root: the one-hot vector :math:`B_0` says which child of
    its parent the node is, :math:`B_1` which child of the grandparent the parent is, and so on. Above the root there are
    zeros; only the first ``depth`` levels are used.

    .. math::
        P = W\, \mathrm{concat}_k\, (p^k B_k)\; \sqrt{1 - p^2}\, \sqrt{n / 2}, \quad p = \tanh(r)

    with a learned *r*. The square roots make :math:`P` about as long as the sinusoids of the plain transformer. Everything
    else is as in :class:`TransformerEncoder`.
    """

    form: Form = "tree"

    def __init__(
        self,
        vocab: Vocab,
        hidden: int = 50,
        layers: int = 2,
        heads: int = 5,
        feedforward: int | None = None,
        dropout: float = 0.0,
        depth: int = 20,  # enough for equations of depth 21, so for all of the paper's
        norm: Norm = "none",
    ) -> None:
        super().__init__(vocab, hidden, layers, heads, feedforward, dropout, norm)
        if depth < 1:
            raise ValueError(f"depth, the number of levels in a position, must be at least 1, not {depth}")
        self.depth, self.arity = depth, max(vocab.arities, default=1)
        self.raw_decay = nn.Parameter(torch.full((1,), atanh(FIRST_DECAY)))
        self.projection = nn.Linear(depth * self.arity, hidden, bias=False)
        nn.init.normal_(self.projection.weight, std=hidden**-0.5)  # columns of about length 1, so that P keeps its length

    def settings(self) -> dict[str, Any]:
        return super().settings() | {"depth": self.depth}

    def positions(self, batch: SequenceBatch) -> Tensor:
        """Return the vectors of the distinct positions: (positions, n)."""
        assert batch.paths is not None, "the form of the batch has been checked"
        stack = self.stacks(torch.from_numpy(batch.paths).to(self.raw_decay.device))  # (positions, depth * arity)
        positions: Tensor = F.linear(stack, self.projection.weight) * (self.hidden / 2) ** 0.5
        return positions

    def stacks(self, paths: Tensor) -> Tensor:
        """Return weighted one-hot branches, (positions, depth * arity). paths: (positions, levels), -1 above the root."""
        paths = paths[:, : self.depth].long()
        paths = F.pad(paths, (0, self.depth - paths.shape[1]), value=-1)  # (positions, depth)
        choices = F.one_hot(paths + 1, self.arity + 1)[:, :, 1:]  # (positions, depth, arity)
        p = self.raw_decay.tanh()
        powers = p ** torch.arange(self.depth, device=p.device)
        return (choices * powers.unsqueeze(1)).flatten(1) * (1 - p.square()).sqrt()
