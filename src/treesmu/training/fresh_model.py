"""A model with initial weights for a training run, and the check that its settings can be built."""

from __future__ import annotations

from typing import Any

import torch

from treesmu.data import DataError, Vocab
from treesmu.models.build import build
from treesmu.models.model import Model
from treesmu.models.verifier import count_parameters

from .settings import TrainSettings

MOST_PARAMETERS = 10**9  # with gradients and two moments each, 16 GB


def fresh_model(settings: TrainSettings) -> Model:
    """With fresh weights, drawn by the seed."""
    check_model(settings)
    torch.manual_seed(settings.seed)
    return build(settings.model, Vocab.default(), settings.cell, settings.head, settings.unit)


def check_model(settings: TrainSettings) -> None:
    """Can it be made, on a machine like ours? No memory is taken for it."""
    name, arguments = settings.model, (Vocab.default(), settings.cell, settings.head, settings.unit)
    with torch.device("meta"):  # shapes only
        known: dict[str, Any] = (build(name, Vocab.default()).build_arguments or {})["settings"]
    for key, value in settings.cell.items():
        if key not in known:
            raise DataError(f"unknown setting cell.{key} of {name}; known: {', '.join(known) or 'none'}")
        if not _is_like(value, known[key]):
            raise DataError(f"setting cell.{key} of {name}: {value!r} is not of the kind of {known[key]!r}")
    try:
        with torch.device("meta"):
            parameters = count_parameters(build(name, *arguments))
    except (ValueError, RuntimeError, OverflowError) as error:
        raise DataError(f"{name}: {str(error).splitlines()[0]}") from error
    if parameters > MOST_PARAMETERS:
        raise DataError(f"{name}: {parameters:,} parameters are too many for one machine; lower cell.hidden")


def _is_like(value: Any, default: Any) -> bool:
    kind = type(default)
    return type(value) is kind or (kind is float and type(value) is int)
