"""Neural networks on trees whose memory is a differentiable stack, and data to measure whether they generalise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .expr import Expr, ParseError, Verdict, check, check_many, parse

if TYPE_CHECKING:
    import os

    import torch

    from .models.model import Model

__version__ = "0.1.0"
SHIPPED = Path(__file__).parent / "models" / "shipped" / "tree-smu.safetensors"  # here: to look for it needs no PyTorch

__all__ = ["Expr", "ParseError", "Verdict", "__version__", "check", "check_many", "load", "parse"]


def load(
    path: str | os.PathLike[str] | None = None, dtype: torch.dtype | None = None, device: torch.device | str | None = None
) -> Model:
    """The model of a file of weights (safetensors), ready for use; without a path the one that is shipped with treesmu."""
    from .models import store  # PyTorch takes a second to load: only now

    return store.load(path, dtype, device)
