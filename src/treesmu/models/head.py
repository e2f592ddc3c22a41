"""Heads: networks that compute the logit of an equation from the states of its two sides."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class DotHead(nn.Module):
    r"""The paper's head: :math:`h_l \cdot h_r + b`."""

    def __init__(self) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return logits: (..., n), (..., n) -> (...)."""
        product: Tensor = torch.linalg.vecdot(left, right)
        return product + self.bias


class DistanceHead(nn.Module):
    r"""The head :math:`b - s\,|h_l - h_r|^2` with learned b and s > 0: equal sides are close, whatever their length."""

    def __init__(self) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.ones(1))
        self.raw_scale = nn.Parameter(torch.full((1,), 0.5413))  # s = softplus(0.5413) = 1

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return logits: (..., n), (..., n) -> (...)."""
        return self.bias - F.softplus(self.raw_scale) * (left - right).square().sum(-1)


HEADS: dict[str, type[nn.Module]] = {"dot": DotHead, "distance": DistanceHead}
