"""Build a model from its name, its settings and a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treesmu import registry
from treesmu.data import Vocab
from treesmu.errors import DataError

from .forest.encoder import TreeEncoder
from .head import HEADS, make_head
from .model import Model
from .normalise import Norm


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
    model_class = registry.model_class(name)
    if head not in HEADS:
        raise DataError(f"unknown head {head!r}; known: {', '.join(HEADS)}")
    if settings is not None and not isinstance(settings, Mapping):
        raise DataError(f"settings must be a dictionary of the arguments of {model_class.__name__}, not {settings!r:.60}")
    if registry.is_tree_model(name):
        cell = model_class(**settings or {})
        encoder: Any = TreeEncoder(cell, vocab, norm=norm, points=points)
        all_settings = cell.settings()
    elif points:
        raise DataError(f"points is for tree models, not for {name}")
    else:
        encoder = model_class(vocab, **settings or {}, norm=norm)
        all_settings = encoder.settings()
    # All settings, also those left at their defaults: a stored model must not change when a default does.
    arguments = {"name": name, "settings": all_settings, "head": head, "norm": norm, "points": points}
    has_own_head = hasattr(encoder, "make_head")
    made = encoder.make_head() if has_own_head else make_head(head, norm, encoder.cell.hidden if points else 0)
    return Model(name, encoder, made, arguments)
