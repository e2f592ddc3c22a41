"""Heads: networks that compute the logit of an equation from the states of its two sides."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .normalise import Norm

ONE = 0.5413  # softplus(ONE) = 1
# States of layer norm have length √n instead of 1: s starts at 0.05, because all logits would be far below 0 with s = 1.
LAYER_NORM = -3.0
DEFINED = 2.0  # the initial c of PointsHead: at first, every value counts as defined
EPSILON = 1e-3  # of PointsHead


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


class PointsHead(nn.Module):
    r"""The mean of another head's logits :math:`z_k` at K points, weighted by how likely both sides are defined there.

    .. math::
        w_k = \sigma(v \cdot h_l^k + c)\, \sigma(v \cdot h_r^k + c), \qquad
        z = \frac{\sum_k w_k z_k}{\epsilon + \sum_k w_k}

    with learned v and c: an equation may hold although one of its sides has no value at a point. Where neither has one at any
    point, the logit is 0.
    """

    def __init__(self, head: nn.Module, hidden: int) -> None:
        super().__init__()
        self.head, self.hidden = head, hidden
        self.defined = nn.Linear(hidden, 1)  # v and c
        nn.init.zeros_(self.defined.weight)
        nn.init.constant_(self.defined.bias, DEFINED)

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return logits: (..., K·n), (..., K·n) -> (...)."""
        left, right = (side.unflatten(-1, (-1, self.hidden)) for side in (left, right))  # (..., K, n)
        weight = (self.defined(left).sigmoid() * self.defined(right).sigmoid()).squeeze(-1)  # (..., K)
        logits = self.head(left, right)  # (..., K)
        mean: Tensor = (weight * logits).sum(-1) / (weight.sum(-1) + EPSILON)
        return mean


HEADS: dict[str, type[nn.Module]] = {"dot": DotHead, "distance": DistanceHead}


def make_head(name: str, norm: Norm, points_of: int = 0) -> nn.Module:
    """Return a head of this name with the initial weights for states that are normalised like this.

    points_of: n, for states of K·n numbers, at K points; 0 for states without points.
    """
    head = DistanceHead(LAYER_NORM) if name == "distance" and norm == "layer" else HEADS[name]()
    return PointsHead(head, points_of) if points_of else head
