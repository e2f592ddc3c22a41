"""The baseline majority: every equation gets the probability of a correct one in the training set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from treesmu.data import CorpusPlan, Forest, Vocab
from treesmu.expr import Expr

from .normalise import Norm
from .verifier import Verifier


class MajorityEncoder(nn.Module):
    """An encoder whose states are empty. It still reads equations, and refuses those that other models refuse."""

    empty: Tensor

    def __init__(self, vocab: Vocab, norm: Norm = "none") -> None:
        super().__init__()
        del norm  # there are no states to normalise
        self.vocab = vocab
        self.register_buffer("empty", torch.zeros(0), persistent=False)  # has the dtype and device of the model

    def settings(self) -> dict[str, Any]:
        """Return the arguments of ``__init__`` except the vocabulary and norm: there are none."""
        return {}

    def make_head(self) -> MajorityHead:
        """Return the head that this encoder needs, instead of the one in the settings."""
        return MajorityHead()

    def plan(self, texts: Any) -> CorpusPlan:
        """Turn prefix strings into integer arrays, from which batches are made quickly."""
        return CorpusPlan.from_prefix(texts, self.vocab)

    def plan_exprs(self, exprs: Sequence[Expr]) -> CorpusPlan:
        """Turn expressions into integer arrays, from which batches are made quickly."""
        return CorpusPlan.from_exprs(exprs, self.vocab)

    def forward(self, forest: Forest) -> Tensor:
        """Return the empty states of equations: (rows, 2, 0)."""
        if not forest.is_equations:
            raise ValueError("the model majority has no states of expressions; use another model")
        return self.empty.expand(len(forest), 2, 0)


class MajorityHead(nn.Module):
    """The logit of the share of correct equations, which is learned by counting (:func:`fit`), not by gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.share = nn.Parameter(torch.tensor(0.5), requires_grad=False)  # a parameter, because an optimizer needs one

    def forward(self, left: Tensor, right: Tensor) -> Tensor:  # noqa: ARG002
        """Return logits: (..., 0), (..., 0) -> (...)."""
        return self.share.logit().expand(left.shape[:-1])


def fit(model: Verifier, labels: Any) -> None:
    """Train the model majority. labels: of the training set, 1 correct and 0 incorrect."""
    if not isinstance(model.head, MajorityHead):
        raise ValueError(f"{model.name} is not trained by counting; only the model majority is")
    labels = torch.as_tensor(labels, dtype=torch.float64)
    if not labels.numel():
        raise ValueError("there are no labels; give those of the training set")
    model.head.share.fill_(labels.mean().item())
