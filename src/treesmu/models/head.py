"""Heads: networks that compute the logit of an equation from the states of its two sides."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .normalise import Norm

ONE = 0.5413  # softplus(ONE) = 1
# States of layer norm have length √n instead of 1: s starts at 0.05, because all logits would be far below 0 with s = 1.
LAYER_NORM = -3.0


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

    def __init__(self, raw_scale: float = ONE) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.ones(1))
        self.raw_scale = nn.Parameter(torch.full((1,), raw_scale))  # s = softplus(raw_scale)

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return logits: (..., n), (..., n) -> (...)."""
        return self.bias - F.softplus(self.raw_scale) * (left - right).square().sum(-1)


HEADS: dict[str, type[nn.Module]] = {"dot": DotHead, "distance": DistanceHead}


def make_head(name: str, norm: Norm) -> nn.Module:
    """Return a head of this name with the initial weights for states that are normalised like this."""
    return DistanceHead(LAYER_NORM) if name == "distance" and norm == "layer" else HEADS[name]()
