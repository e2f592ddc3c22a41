"""Transfer: how often a model is right on test equations of any corpus, by depth, label, and sides that it was trained on."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from treesmu.data import Dataset
from treesmu.expr.sides import split_sides
from treesmu.models.model import Model

from .trained_model import predictions

COLUMNS = ("depth", "label", "sides_seen", "equations", "right")


class SeenText:
    """The equations of a training set and their sides, as text."""

    def __init__(self, training: Dataset) -> None:
        self.equations = frozenset(training.prefix.to_pylist())
        self.sides = frozenset(side for text in self.equations for side in split_sides(text))

    def count_sides(self, text: str) -> int:
        """Return how many sides of an equation, 0 to 2, are sides of training equations, written in the same way."""
        return sum(side in self.sides for side in split_sides(text))


def count_right(model: Model, test: Dataset, seen: SeenText) -> dict[str, Any]:
    """Return counts of the equations that are not in the training set, and of those whose label the model predicts.

    The columns of a table: ``depth``, ``label``, ``sides_seen`` (0 to 2), ``equations``, ``right``. ``left_out``: the number
    of equations that are in the training set, or have a leaf that the model does not know, such as 17.
    """
    known = set(model.vocab.leaves)
    unknown = {leaf for leaf in model.vocab.extended(test.prefix).leaves if leaf not in known}
    texts = test.prefix.to_pylist()
    is_new = np.array([text not in seen.equations and unknown.isdisjoint(text.split()) for text in texts], bool)
    new = test.take(is_new)
    found: dict[str, Any] = {name: [] for name in COLUMNS}
    if len(new):
        is_right = predictions(model, new.prefix) == (new.label == 1)
        sides = [seen.count_sides(text) for text in new.prefix.to_pylist()]
        keys = list(zip(new.depth.tolist(), new.label.tolist(), sides, strict=True))
        equations = Counter(keys)
        right = Counter(key for key, is_one in zip(keys, is_right.tolist(), strict=True) if is_one)
        for key in sorted(equations):
            for name, value in zip(COLUMNS, (*key, equations[key], right[key]), strict=True):
                found[name].append(value)
    return {**found, "left_out": int((~is_new).sum())}
