"""Normalise states: to length 1, to mean 0 and variance 1 (layer norm), or not at all."""

from __future__ import annotations

from typing import Any, Literal, get_args

import torch
import torch.nn.functional as F
from torch import Tensor

Norm = Literal["none", "unit", "layer"]
TINY = 1e-12  # the shortest state that is scaled to length 1
EPSILON = 1e-5  # added to the variance of a state, as nn.LayerNorm does


def check_norm(norm: Any) -> Norm:
    """Return the name of a normalisation; raise a ValueError if there is none of this name."""
    if norm not in get_args(Norm):
        raise ValueError(f"norm must be {', '.join(get_args(Norm)[:-1])} or {get_args(Norm)[-1]}, not {norm!r}")
    known: Norm = norm
    return known


def unit_length(states: Tensor) -> Tensor:
    """Return states (..., n) scaled to length 1."""
    length: Tensor = torch.linalg.vector_norm(states, dim=-1, keepdim=True)
    return states / length.clamp_min(TINY)


def normalised(states: Tensor, norm: Norm) -> Tensor:
    """Return states (..., n) normalised; layer norm has no weights of its own."""
    if norm == "none":
        return states
    return unit_length(states) if norm == "unit" else F.layer_norm(states, states.shape[-1:], eps=EPSILON)


def normalise_(states: Tensor, norm: Norm, scale: Tensor) -> None:
    """Normalise states (m, n) in place, and write what they were divided by to scale (m, 1)."""
    if norm == "unit":
        torch.linalg.vector_norm(states, dim=1, keepdim=True, out=scale)
        scale.clamp_min_(TINY)
    elif norm == "layer":
        states.sub_(states.mean(1, keepdim=True))
        torch.mean(states.square(), 1, keepdim=True, out=scale)
        scale.add_(EPSILON).sqrt_()
    if norm != "none":
        states.div_(scale)


def normalise_down_(dstates: Tensor, states: Tensor, norm: Norm, scale: Tensor) -> None:
    """Turn the gradient of normalised states (m, n), in place, into that of the states before. scale: as written above."""
    if norm == "none":
        return
    along = torch.linalg.vecdot(states, dstates).unsqueeze(1)  # (m, 1)
    if norm == "layer":
        along.div_(states.shape[1])
        dstates.sub_(dstates.mean(1, keepdim=True))
    dstates.addcmul_(states, along, value=-1).div_(scale)
