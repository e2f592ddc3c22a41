"""A model with initial weights for a training run, and the check that its settings can be built."""

from __future__ import annotations

import inspect
from typing import Any

import torch

from treesmu import registry
from treesmu.data import DataError, Vocab
from treesmu.data.tree_files.reading import Reading
from treesmu.models.build import build, build_tree_model
from treesmu.models.model import Model
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.models.trees.tree_model import TreeModel
from treesmu.models.trial import check_settings_are_plain, try_model
from treesmu.models.verifier import count_parameters

from .settings import TrainSettings
from .start_weights import copy_weights
from .task_settings import default_readout

MOST_PARAMETERS = 10**9  # with gradients and two moments each, 16 GB


def fresh_model(settings: TrainSettings, vocab: Vocab | None = None) -> Model:
    """Return a model with initial weights: drawn by the seed, or those of a file. A user's model that fails is a DataError.

    vocab: by default that of mathematics.
    """
    check_model(settings)
    torch.manual_seed(settings.seed)
    model = build(settings.model, vocab or Vocab.default(), settings.cell, settings.head, settings.norm, settings.points)
    if settings.start_from is not None:
        copy_weights(model, settings.start_from)
    try_model(model, with_gradients=True)
    return model


def check_model(settings: TrainSettings) -> None:
    """Raise a DataError if the model cannot be built from these settings, or is too large. Takes no memory for weights."""
    name = settings.model
    _check_cell(name, settings.cell)
    try:
        with torch.device("meta"):  # shapes only
            model = _build(settings, Vocab.default())
    except Exception as error:  # a class of a user's own can raise anything
        message = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{name}: {message}") from error
    check_settings_are_plain(model)
    parameters = count_parameters(model)
    if parameters > MOST_PARAMETERS:
        raise DataError(f"{name}: {parameters:,} parameters are too many for one machine; lower cell.hidden")


def fresh_tree_model(settings: TrainSettings, reading: Reading, answer_kind: AnswerKind) -> TreeModel:
    """Return a model of trees with initial weights, drawn by the seed. A user's model that fails is a DataError."""
    check_model(settings)
    torch.manual_seed(settings.seed)
    model = _build_tree_model(settings, reading, answer_kind)
    try_model(model, with_gradients=True)
    return model


def _build(settings: TrainSettings, vocab: Vocab) -> Model | TreeModel:
    if settings.task == "verify":
        return build(settings.model, vocab, settings.cell, settings.head, settings.norm, settings.points)
    classes = () if settings.task == "regress" else ("a", "b")
    return _build_tree_model(settings, Reading(Vocab(("f",), (2,), ("a",), variadic=True)), AnswerKind(settings.task, classes))


def _build_tree_model(settings: TrainSettings, reading: Reading, answer_kind: AnswerKind) -> TreeModel:
    readout = settings.readout or default_readout(settings.task)
    return build_tree_model(settings.model, reading, answer_kind, settings.cell, readout, settings.norm)


def _check_cell(name: str, cell: dict[str, Any]) -> None:
    """Compare the settings of a model with the arguments of its class, which say their names, defaults and types."""
    arguments = inspect.signature(registry.model_class(name)).parameters
    if any(argument.kind is argument.VAR_KEYWORD for argument in arguments.values()):
        return  # it takes any setting
    not_settings = () if registry.is_tree_model(name) else ("vocab", "norm")
    known = {key: argument.default for key, argument in arguments.items() if key not in not_settings}
    for key, value in cell.items():
        if key not in known:
            raise DataError(f"unknown setting cell.{key} of {name}; known: {', '.join(known) or 'none'}")
        if not _has_type_of(value, known[key]):
            raise DataError(f"setting cell.{key} of {name}: {value!r} is not of the type of {known[key]!r}")
    if missing := [key for key, default in known.items() if default is inspect.Parameter.empty and key not in cell]:
        raise DataError(
            f"{name} needs the setting cell.{missing[0]}, which has no default; give it: --set cell.{missing[0]}=VALUE"
        )


def _has_type_of(value: Any, default: Any) -> bool:
    if default is None or default is inspect.Parameter.empty:
        return True  # no type to compare with
    kind = type(default)
    return type(value) is kind or (kind is float and type(value) is int)
