"""A predictor answers in the classes of training; files of other models are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tree_files import tree_model
from treesmu.data import DataError, Vocab
from treesmu.models.build import build
from treesmu.models.store import save
from treesmu.models.trees.predictor import TreePredictor, class_array, table_of


def test_predictions_are_classes() -> None:
    predictor = TreePredictor(tree_model())
    assert set(predictor.predict(["(f a b)", "b"])) <= {"x", "y", "z"}
    assert predictor.score(["b"], predictor.predict(["b"])) == 1.0
    assert repr(predictor) == "TreePredictor(classify, tree-smu, 3 outputs, 2 leaves)"
    with pytest.raises(DataError, match="there are 1 trees, but 2 labels"):
        predictor.score(["b"], ["x", "y"])


def test_arrays_of_classes_have_one_kind_if_the_classes_do() -> None:
    assert class_array([1, 2]).dtype == np.int64
    assert class_array(["a", "b"]).dtype.kind == "U"
    assert class_array([1, "a"]).tolist() == [1, "a"]


def test_pairs_are_tuples_or_mappings() -> None:
    assert table_of([("a", "b"), {"left": "a", "right": "b"}], is_pairs=True).is_pairs
    with pytest.raises(DataError, match=r"takes pairs of trees, \(left, right\)"):
        table_of(["a"], is_pairs=True)


def test_a_model_of_equations_is_refused(tmp_path: Path) -> None:
    save(build("tree-rnn", Vocab.default(), {"hidden": 4}), tmp_path / "m.safetensors")
    with pytest.raises(DataError, match=r"a model of equations, not of trees; load it with treesmu\.load"):
        TreePredictor.load(tmp_path / "m.safetensors")


def test_a_score_is_finite_or_refused() -> None:
    predictor = TreePredictor(tree_model("regress"))
    assert predictor.score(["b", "b"], [1e6, 1e6]) == 0.0
    for task in ("classify", "regress"):
        with pytest.raises(DataError, match="no trees to score"):
            TreePredictor(tree_model(task)).score([], [])
    for label in ("warm", None, True, [1]):
        with pytest.raises(DataError, match=r"tree 0: 'label' is .*, not a finite number"):
            predictor.score(["b"], [label])
    for label in (float("nan"), float("inf"), 10**400):
        with pytest.raises(DataError, match="tree 0: 'label' is too large or not finite"):
            predictor.score(["b"], [label])
    tagger = TreePredictor(tree_model("tag"))
    with pytest.raises(DataError, match="tree 0: its label is a list with a class for each of 2 nodes"):
        tagger.score(["(f a)"], [["x"]])
    with pytest.raises(DataError, match="no node has a class to score by"):
        tagger.score(["(f a)"], [[None, None]])
