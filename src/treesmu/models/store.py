"""Save and load models: one safetensors file holds everything that is needed to make a model again."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from treesmu.errors import DataError, reason_of, shorten
from treesmu.plugins import code_hash, has_other_code
from treesmu.shipped import SHIPPED, find_shipped, names_of_shipped

from .device import choose_device
from .model import Model
from .restore import restore
from .trees.tree_model import TreeModel
from .trial import check_settings_are_plain, class_of_user, try_model
from .weights_file import find_not_finite, read_weights, write_weights


def save(model: Model | TreeModel, path: str | os.PathLike[str], note: Mapping[str, Any] | None = None) -> None:
    """Write a model to a file, completely or not at all. note: where it comes from; default: the model's own note."""
    path = Path(path)
    if getattr(model, "build_arguments", None) is None:
        raise ValueError(
            "only models made by treesmu.models.build can be saved, because others cannot be built again from a file; "
            "save the state_dict() of this one with torch.save"
        )
    check_settings_are_plain(model)
    weights = {name: weight.detach().cpu().clone().contiguous() for name, weight in model.state_dict().items()}
    if wrong := find_not_finite(weights):
        raise DataError(f"{path}: not written: the weight {wrong} has values that are not finite; lower the learning rate")
    note = dict(model.note if note is None else note)
    points = getattr(model.encoder, "points", 0)  # which may have been changed since the model was built
    metadata = {"model": {**(model.build_arguments or {}), "points": points}, "vocab": model.vocab.to_dict(), "note": note}
    extra = {
        "trained": None if model.trained is None else model.trained.to_dict(),
        "prior": None if model.prior is None else model.prior.to_dict(),
        "calibration": None if model.calibration is None else model.calibration.to_dict(),
        "code": code_hash(class_of_user(model.encoder)),
        "task": None,
    }
    if isinstance(model, TreeModel):
        extra["task"] = {"answer_kind": model.answer_kind.to_dict(), "reading": model.reading.to_dict()}
    write_weights(path, weights, metadata | {name: value for name, value in extra.items() if value is not None})


def load(
    path: str | os.PathLike[str] | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | str = "cpu",
) -> Model:
    """Return the model of a file in evaluation mode; without a path, the model that is shipped with treesmu.

    path: of a file, or the name of a shipped model, such as ``"tree-lstm"``; a file of that name comes first.
    dtype: of the weights; by default as stored (shipped models are stored in 16 bits and loaded as float32).
    device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for an accelerator if there is one.
    """
    model = _load(path, dtype, device)
    if isinstance(model, TreeModel):
        remedy = f"load it with treesmu.TreePredictor.load({os.fspath(path or '')!r}), or use treesmu evaluate"
        raise DataError(
            f"{os.fspath(path or '')}: a model of trees (task {model.answer_kind.task}), not of equations; {remedy}"
        )
    return model


def load_tree_model(path: str | os.PathLike[str], device: torch.device | str = "cpu") -> TreeModel:
    """Return the model of trees of a file in evaluation mode; a file of any other model is a DataError."""
    model = _load(path, None, device)
    if not isinstance(model, TreeModel):
        raise DataError(f"{os.fspath(path)}: a model of equations, not of trees; load it with treesmu.load")
    return model


def load_model(path: str | os.PathLike[str], device: torch.device | str = "cpu") -> Model | TreeModel:
    """Return the model of a file, whatever it was trained for, in evaluation mode."""
    return _load(path, None, device)


def _load(path: str | os.PathLike[str] | None, dtype: torch.dtype | None, device: torch.device | str) -> Model | TreeModel:
    device = choose_device(device)
    if not isinstance(path, str | os.PathLike | None):
        raise TypeError(f"path must be that of a file of weights, or None for the shipped model, not {path!r}")
    if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a floating-point type of PyTorch, such as torch.float64, not {dtype!r}")
    path, is_shipped = _find(path)
    dtype = dtype or (torch.float32 if is_shipped else None)
    try:
        weights, metadata = read_weights(Path(path))
        model = restore(weights, metadata).to(device=device, dtype=dtype).eval()
        try_model(model)
    except DataError as error:
        raise DataError(f"{os.fspath(path)}: {error}") from error
    if has_other_code(class_of_user(model.encoder), metadata.get("code")):
        message = f"the code of the model {model.name!r} has changed since this file was written, so its results may be wrong"
        warnings.warn(f"{os.fspath(path)}: {message}; use the code as it was, or train again", stacklevel=3)
    return model


def _find(path: str | os.PathLike[str] | None) -> tuple[Path, bool]:
    """Return the file of a path or of the name of a shipped model, and whether it is shipped."""
    if path is None:
        if not SHIPPED.exists():
            raise DataError("this treesmu comes without a trained model; give a file: treesmu.load('model.safetensors')")
        return SHIPPED, True
    choices = f"give a file of weights, or the name of a shipped model: {names_of_shipped()}"
    if not os.fspath(path):
        raise DataError(f"the name of the file is empty; {choices}")
    try:
        shipped = find_shipped(path)
        if shipped is None and not Path(path).exists():
            raise DataError(f"{os.fspath(path)}: there is no such file; {choices}")
    except OSError as error:
        raise DataError(f"{shorten(os.fspath(path))}: cannot be read: {reason_of(error)}; {choices}") from error
    return shipped or Path(path), shipped is not None
