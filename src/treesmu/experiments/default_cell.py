"""The default settings of a model's cell or encoder, for any model of the registry."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _build_settings(model: str) -> dict[str, Any]:
    import torch

    from treesmu.data import Vocab
    from treesmu.models.build import build

    with torch.device("meta"):  # shapes only: no memory for weights
        return dict((build(model, Vocab.default()).build_arguments or {})["settings"])


def default_cell_settings(model: str) -> dict[str, Any]:
    """Return the settings that a model is built with if none are given: hidden, dropout, ..., stack if it has one."""
    return dict(_build_settings(model))
