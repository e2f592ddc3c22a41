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


def build(name: str, vocab: Vocab, settings: Mapping[str, Any] | None = None, head: str = "dot", norm: Norm = "none") -> Model:
    """Return a model with random weights.

    name: of a built-in or registered model (:mod:`treesmu.registry`). settings: the arguments of its class.
    norm: how states are normalised: ``none``, ``unit`` (to length 1) or ``layer`` (layer norm).
    """
    model_class = registry.model_class(name)
    if head not in HEADS:
        raise DataError(f"unknown head {head!r}; known: {', '.join(HEADS)}")
    if settings is not None and not isinstance(settings, Mapping):
        raise DataError(f"settings must be a dictionary of the arguments of {model_class.__name__}, not {settings!r:.60}")
    if registry.is_tree_model(name):
        cell = model_class(**settings or {})
        encoder: Any = TreeEncoder(cell, vocab, norm=norm)
        all_settings = cell.settings()
    else:
        encoder = model_class(vocab, **settings or {}, norm=norm)
        all_settings = encoder.settings()
    # All settings, also those left at their defaults: a stored model must not change when a default does.
    arguments = {"name": name, "settings": all_settings, "head": head, "norm": norm}
    has_own_head = hasattr(encoder, "make_head")
    return Model(name, encoder, encoder.make_head() if has_own_head else make_head(head, norm), arguments)
