"""TreePredictor: a trained model of trees for use in Python: predict, predict_proba, score, save and load."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from treesmu.data.tree_files.read import list_of, plain, trees_in_memory
from treesmu.data.tree_files.table import TreeTable, objects
from treesmu.errors import DataError

from ..store import load_tree_model, save
from .answer_kind import check_number, class_key, r_squared
from .tree_model import TreeModel

Array = NDArray[Any]


class TreePredictor:
    """A model of trees. A tree is nested tuples or lists ``(label, child, ...)``, or a text ``"(MAX 2 (MIN 4 7))"``.

    A pair of trees, for the task compare, is ``(left, right)`` or ``{"left": left, "right": right}``.
    """

    def __init__(self, model: TreeModel) -> None:
        self.model = model

    @property
    def task(self) -> str:
        """What the model was trained for: classify, regress, compare or tag."""
        return self.model.answer_kind.task

    @property
    def classes(self) -> list[Any]:
        """The classes, in the order of the columns of :meth:`predict_proba`."""
        return list(self.model.answer_kind.classes)

    def predict(self, trees: Iterable[Any]) -> Array | list[list[Any]]:
        """Return the class or the number of each tree; for tags a list for each tree: the class of each node in preorder.

        A node that is not tagged, such as a leaf, has None.
        """
        table = self._table(trees)
        answer_kind, outputs = self.model.answer_kind, self.model.outputs(table)
        if self.task == "regress":
            numbers: Array = outputs[:, 0] * answer_kind.scale + answer_kind.mean
            return numbers
        chosen = class_array(self.classes)[outputs.argmax(1)] if len(outputs) else class_array(self.classes)[:0]
        if self.task != "tag":
            return chosen
        is_asked = (table.arity > 0) | (answer_kind.nodes == "all")
        found = [tag if asked else None for tag, asked in zip(chosen.tolist(), is_asked.tolist(), strict=True)]
        return [found[start:stop] for start, stop in zip(table.starts[:-1], table.starts[1:], strict=True)]

    def predict_proba(self, trees: Iterable[Any]) -> Array:
        """Return the probability of each class for each tree, (trees, classes)."""
        if self.task in ("regress", "tag"):
            raise DataError(f"a model for the task {self.task} has no probabilities of trees; use predict")
        return torch.from_numpy(self.model.outputs(self._table(trees))).softmax(1).numpy()

    def score(self, trees: Iterable[Any], labels: Iterable[Any]) -> float:
        """Return the accuracy on labelled trees, or R² of numbers; labels of tags are as those that predict returns."""
        found, wanted = self.predict(trees), [plain(label) for label in list_of("labels", labels)]
        if len(found) != len(wanted):
            raise DataError(f"there are {len(found):,} trees, but {len(wanted):,} labels; give one for each tree")
        if not len(found):
            raise DataError("there are no trees to score; give at least one with its label")
        if self.task == "regress":
            return _score_of_numbers(np.asarray(found), wanted)
        pairs = list(zip(np.asarray(found).tolist() if self.task != "tag" else found, wanted, strict=True))
        if self.task == "tag":
            pairs = _pairs_of_nodes(pairs)
        return float(np.mean([class_key(a) == class_key(b) for a, b in pairs]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file (.safetensors), completely or not at all."""
        save(self.model, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], device: torch.device | str = "cpu") -> TreePredictor:
        """Return the model of a file, or of a run folder of ``treesmu train``."""
        in_folder = os.path.isdir(path)  # False also for names that the system refuses
        return cls(load_tree_model(Path(path, "model.safetensors") if in_folder else path, device))

    def _table(self, trees: Iterable[Any]) -> TreeTable:
        return table_of(trees, is_pairs=self.task == "compare")

    def __repr__(self) -> str:
        model = self.model
        return (
            f"TreePredictor({self.task}, {model.name}, {model.answer_kind.outputs} outputs, {len(model.vocab.leaves)} leaves)"
        )


def _pairs_of_nodes(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the found and the wanted class of each node that has one, from those of trees."""
    for place, (one, two) in enumerate(pairs):
        if not isinstance(two, list | tuple) or len(one) != len(two):
            raise DataError(
                f"tree {place}: its label is a list with a class for each of {len(one)} nodes, None where there is none"
            )
    found = [pair for one, two in pairs for pair in zip(one, two, strict=True) if pair[1] is not None]
    if not found:
        raise DataError("no node has a class to score by; give at least one")
    return found


def _score_of_numbers(found: Array, wanted: list[Any]) -> float:
    """Return R²; 1 or 0 where it is not defined since all numbers are the same, by whether they were found."""
    for place, value in enumerate(wanted):
        check_number(value, f"tree {place}")
    numbers = np.array(wanted, np.float64)
    r2 = r_squared(numbers, found)
    return float(np.allclose(found, numbers)) if r2 is None else r2


def table_of(trees: Iterable[Any], labels: Any = None, tags: Any = None, is_pairs: bool = False) -> TreeTable:
    """Return a table of trees in memory. is_pairs: each of them is ``(left, right)``."""
    if is_pairs and not isinstance(trees, str):
        trees = [pair if isinstance(pair, Mapping) else _pair(pair) for pair in trees]
    return trees_in_memory(trees, labels, tags)


def _pair(pair: Any) -> dict[str, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise DataError("the task compare takes pairs of trees, (left, right)")
    return {"left": pair[0], "right": pair[1]}


def class_array(classes: list[Any]) -> Array:
    """Return classes as an array: of numbers or of texts, if they are all of one kind."""
    kinds = {type(value) for value in classes}
    return np.array(classes) if len(kinds) == 1 else objects(classes)
