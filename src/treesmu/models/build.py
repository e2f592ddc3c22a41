"""Build a model from its name, its settings and a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treesmu import registry
from treesmu.data import Vocab
from treesmu.data.tree_files.reading import Reading
from treesmu.errors import DataError

from .forest.encoder import TreeEncoder
from .head import HEADS, make_head
from .model import Model
from .normalise import Norm
from .sequences.base import SequenceEncoder
from .trees.answer_kind import AnswerKind
from .trees.readout import make_readout
from .trees.tree_model import TreeModel


def build(
    name: str,
    vocab: Vocab,
    settings: Mapping[str, Any] | None = None,
    head: str = "dot",
    norm: Norm = "none",
    points: int = 0,
) -> Model:
    """Return a model with random weights.

    name: of a built-in or registered model (:mod:`treesmu.registry`). settings: the arguments of its class.
    norm: how states are normalised: ``none``, ``unit`` (to length 1) or ``layer`` (layer norm).
    points: at how many points variables are read as numbers; 0: they have vectors of their own. For tree models.
    """
    registry.check_name(name)
    if head not in HEADS:
        raise DataError(f"unknown head {head!r}; known: {', '.join(HEADS)}")
    encoder, all_settings = _build_encoder(name, vocab, settings, norm, points)
    # All settings, also those left at their defaults: a stored model must not change when a default does.
    arguments = {"name": name, "settings": all_settings, "head": head, "norm": norm, "points": points}
    has_own_head = hasattr(encoder, "make_head")
    made = encoder.make_head() if has_own_head else make_head(head, norm, encoder.cell.hidden if points else 0)
    return Model(name, encoder, made, arguments)


def build_tree_model(
    name: str,
    reading: Reading,
    answer_kind: AnswerKind,
    settings: Mapping[str, Any] | None = None,
    readout: str = "linear",
    norm: Norm = "none",
) -> TreeModel:
    """Return a model of trees with random weights, which gives answers of a kind. Arguments are those of :func:`build`."""
    encoder, all_settings = _build_encoder(name, reading.vocab, settings, norm, 0)
    if not isinstance(encoder, TreeEncoder | SequenceEncoder) or (
        answer_kind.task == "tag" and not isinstance(encoder, TreeEncoder)
    ):
        trees = ", ".join(name for name in registry.names() if registry.is_tree_model(name))
        raise DataError(f"the model {name} cannot be trained for the task {answer_kind.task}; use a tree model: {trees}")
    hidden = encoder.cell.hidden if isinstance(encoder, TreeEncoder) else encoder.hidden
    head = make_readout(readout, answer_kind, hidden, norm)
    arguments = {"name": name, "settings": all_settings, "head": readout, "norm": norm, "points": 0}
    return TreeModel(name, encoder, head, reading, answer_kind, arguments)


def _build_encoder(
    name: str, vocab: Vocab, settings: Mapping[str, Any] | None, norm: Norm, points: int
) -> tuple[Any, dict[str, Any]]:
    """Return the encoder of a model, and all its settings."""
    model_class = registry.model_class(name)
    if settings is not None and not isinstance(settings, Mapping):
        raise DataError(f"settings must be a dictionary of the arguments of {model_class.__name__}, not {settings!r:.60}")
    if registry.is_tree_model(name):
        cell = model_class(**settings or {})
        return TreeEncoder(cell, vocab, norm=norm, points=points), cell.settings()
    if points:
        raise DataError(f"points is for tree models, not for {name}")
    encoder = model_class(vocab, **settings or {}, norm=norm)
    return encoder, encoder.settings()
