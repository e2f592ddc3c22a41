"""Models of trees answer per row or per node, the same from a file as before, for trees of any depth and width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tree_files import tree_model
from treesmu.data import DataError
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.reading import Reading
from treesmu.models.build import build_tree_model
from treesmu.models.store import load_tree_model, save
from treesmu.models.trees.answer_kind import AnswerKind

TREES = ["(f a b)", "(f (f b a) a b)", "b"]


def test_outputs_do_not_depend_on_the_other_rows() -> None:
    model = tree_model()
    together = model.outputs(trees_in_memory(TREES))
    alone = np.concatenate([model.outputs(trees_in_memory([tree])) for tree in TREES])
    assert together.shape == (3, 3)
    np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-6)


def test_tags_have_outputs_for_every_node_and_those_of_the_root_are_those_of_the_tree() -> None:
    table = trees_in_memory(TREES)
    tagged, classified = tree_model("tag").outputs(table), tree_model().outputs(table)
    assert tagged.shape == (len(table.token), 3)
    np.testing.assert_allclose(tagged[table.starts[:-1]], classified, rtol=1e-5, atol=1e-6)
    a, b = (np.flatnonzero(table.token == table.labels.index(label)) for label in "ab")
    assert (tagged[a] == tagged[a[0]]).all()
    assert not (tagged[a[0]] == tagged[b[0]]).all()


@pytest.mark.parametrize("task", ["classify", "regress", "tag"])
def test_a_model_from_a_file_is_the_same(task: str, tmp_path: Path) -> None:
    model, table = tree_model(task), trees_in_memory(TREES)
    save(model, tmp_path / "m.safetensors", {"why": "test"})
    again = load_tree_model(tmp_path / "m.safetensors")
    assert (again.answer_kind, again.reading, again.note) == (model.answer_kind, model.reading, {"why": "test"})
    np.testing.assert_array_equal(again.outputs(table), model.outputs(table))


MODELS = [
    "tree-smu",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("tree-lstm", "tree-rnn", "stack-tree-rnn", "lstm")),
]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("shape", ["deep", "wide"])
def test_depth_and_width_of_10000_are_computed(name: str, shape: str) -> None:
    tree: Any = ("f", *["a", "b"] * 5_000)
    if shape == "deep":
        tree = "a"
        for i in range(10_000):
            tree = ("f", tree, "ab"[i % 2])
    model = tree_model(name=name, trees=[tree, ("f", "b", "a")])
    found = model.outputs(trees_in_memory([tree]))
    assert found.shape == (1, 3)
    assert np.isfinite(found).all()


def test_pairs_and_single_trees_are_not_confused() -> None:
    with pytest.raises(DataError, match="the task classify needs one 'tree' per row"):
        tree_model().outputs(trees_in_memory([{"left": "a", "right": "b"}]))
    with pytest.raises(DataError, match="cannot be trained for the task tag; use a tree model"):
        tree_model("tag", "lstm")
    with pytest.raises(DataError, match="majority cannot be trained"):
        build_tree_model("majority", Reading.learn(trees_in_memory(TREES), rare=1), AnswerKind("classify", (0, 1)))
