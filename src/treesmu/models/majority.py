"""Majority class: every equation is as likely to be correct as those of the training set were on average."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from treesmu.data import CorpusPlan, Forest, Vocab

from .verifier import Verifier


class MajorityEncoder(nn.Module):
    """Looks at nothing, so its states have no entries. Equations are still read, and refused where other models refuse them."""

    nothing: Tensor

    def __init__(self, vocab: Vocab, unit: bool = False) -> None:
        super().__init__()
        del unit  # there are no states to scale
        self.vocab = vocab
        self.register_buffer("nothing", torch.zeros(0), persistent=False)  # of the right type, on the right device

    def settings(self) -> dict[str, Any]:
        return {}

    def make_head(self) -> MajorityHead:
        """Return the head that this encoder needs, whatever head is asked for."""
        return MajorityHead()

    def plan(self, texts: Any) -> CorpusPlan:
        return CorpusPlan.from_prefix(texts, self.vocab)

    def forward(self, forest: Forest) -> Tensor:
        """(rows, 2, 0) for equations."""
        if not forest.is_equations:
            raise ValueError("the majority class looks at no expression, so it has no states of them; take another model")
        return self.nothing.expand(len(forest), 2, 0)


class MajorityHead(nn.Module):
    """The share of correct equations, as a logit. It is learned by counting (:func:`fit`), not by gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.share = nn.Parameter(torch.tensor(0.5), requires_grad=False)  # a parameter, or an optimiser would have none

    def forward(self, left: Tensor, right: Tensor) -> Tensor:  # noqa: ARG002
        """(..., 0), (..., 0) -> (...)"""
        return self.share.logit().expand(left.shape[:-1])


def fit(model: Verifier, labels: Any) -> None:
    """All the training there is. labels: those of the training set, 1 correct and 0 incorrect."""
    if not isinstance(model.head, MajorityHead):
        raise ValueError(f"{model.name} does not learn by counting; only the model 'majority' does")
    labels = torch.as_tensor(labels, dtype=torch.float64)
    if not labels.numel():
        raise ValueError("there is no majority of no labels; give those of the training set")
    model.head.share.fill_(labels.mean())
