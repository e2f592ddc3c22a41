"""Scale states to length 1."""

from __future__ import annotations

import torch
from torch import Tensor

TINY = 1e-12  # the shortest state that is scaled to length 1


def unit_length(states: Tensor) -> Tensor:
    """Return states (..., n) scaled to length 1."""
    length: Tensor = torch.linalg.vector_norm(states, dim=-1, keepdim=True)
    return states / length.clamp_min(TINY)
