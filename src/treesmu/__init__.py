"""Neural networks on trees whose memory is a differentiable stack, and data to measure whether they generalise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .expr import Expr, ParseError, Verdict, check, check_many, parse
from .registry import register

if TYPE_CHECKING:
    import os

    import torch

    from .models.model import Model

__version__ = "0.1.0"
SHIPPED = Path(__file__).parent / "models" / "shipped" / "tree-smu.safetensors"  # here, so that finding it needs no PyTorch

__all__ = ["Expr", "ParseError", "Verdict", "__version__", "check", "check_many", "load", "parse", "register"]


def load(
    path: str | os.PathLike[str] | None = None, dtype: torch.dtype | None = None, device: torch.device | str = "cpu"
) -> Model:
    """Return the model of a file of weights (safetensors), ready for use; without a path, the shipped model.

    dtype: of the weights; by default as stored. device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for an accelerator if there
    is one. A model of your own must be registered first (:func:`treesmu.register`).
    """
    from .models import store  # imported here because PyTorch takes a second to load

    return store.load(path, dtype, device)
