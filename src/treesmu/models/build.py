"""Build a model from its name, its settings and a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treesmu import registry
from treesmu.data import Vocab
from treesmu.errors import DataError

from .forest.encoder import TreeEncoder
from .head import HEADS
from .model import Model


def build(name: str, vocab: Vocab, settings: Mapping[str, Any] | None = None, head: str = "dot", unit: bool = False) -> Model:
    """Return a model with random weights.

    name: of a built-in or registered model (:mod:`treesmu.registry`). settings: the arguments of its class.
    unit: whether states are scaled to length 1.
    """
    model_class = registry.model_class(name)
    if head not in HEADS:
        raise DataError(f"unknown head {head!r}; known: {', '.join(HEADS)}")
    if registry.is_tree_model(name):
        cell = model_class(**settings or {})
        encoder: Any = TreeEncoder(cell, vocab, unit=unit)
        all_settings = cell.settings()
    else:
        encoder = model_class(vocab, **settings or {}, unit=unit)
        all_settings = encoder.settings()
    # All settings, also those left at their defaults: a stored model must not change when a default does.
    arguments = {"name": name, "settings": all_settings, "head": head, "unit": unit}
    has_own_head = hasattr(encoder, "make_head")
    return Model(name, encoder, encoder.make_head() if has_own_head else HEADS[head](), arguments)
