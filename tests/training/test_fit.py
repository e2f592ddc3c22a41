"""``treesmu.fit`` trains on trees in memory and returns a model that predicts, scores and is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treesmu
from tree_files import LABELS, TREES, tags
from treesmu.data import DataError

FAST: dict[str, Any] = {"hidden": 8, "epochs": 2, "batch": 16, "device": "cpu"}


def test_a_model_predicts_scores_and_is_saved(tmp_path: Path) -> None:
    model = treesmu.fit(TREES, LABELS, **FAST)
    found = model.predict(TREES)
    assert model.task == "classify"
    assert model.classes == [0, 1, 2, 3]
    assert model.score(TREES, LABELS) == pytest.approx(np.mean(np.asarray(found) == np.array(LABELS)))
    probability = model.predict_proba(TREES)
    assert probability.shape == (120, 4)
    assert np.allclose(probability.sum(1), 1)
    assert (probability.argmax(1) == np.asarray(found)).all()
    model.save(tmp_path / "model.safetensors")
    again = treesmu.TreePredictor.load(tmp_path / "model.safetensors")
    assert np.array_equal(again.predict_proba(TREES), probability)
    assert len(model.predict([])) == 0


def test_the_same_seed_gives_the_same_model() -> None:
    one, two, other = (treesmu.fit(TREES, LABELS, seed=seed, **FAST).predict_proba(TREES) for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_numbers_pairs_and_tags() -> None:
    numbers = treesmu.fit(TREES, [label + 0.5 for label in LABELS], **FAST)
    assert numbers.task == "regress"
    assert numbers.predict(TREES[:3]).dtype == np.float64
    pairs = list(zip(TREES, TREES[::-1], strict=True))
    same = ["same" if a == b else "other" for a, b in zip(LABELS, LABELS[::-1], strict=True)]
    assert set(treesmu.fit(pairs, same, task="compare", **FAST).predict(pairs)) <= {"same", "other"}
    tagger = treesmu.fit(TREES, tags=[tags(tree) for tree in TREES], **FAST)
    found = tagger.predict(TREES)
    assert [[tag is None for tag in one] for one in found] == [[tag is None for tag in tags(tree)] for tree in TREES]
    assert 0 <= tagger.score(TREES, [tags(tree) for tree in TREES]) <= 1


def test_texts_are_trees_and_few_rows_are_enough(tmp_path: Path) -> None:
    model = treesmu.fit(["(f a)", "(f b)"] * 4, ["x", "y"] * 4, out=tmp_path / "run", **FAST)
    assert model.predict(["(f a)"]).dtype.kind == "U"  # type: ignore[union-attr]
    assert (tmp_path / "run" / "settings.json").exists()


def test_wrong_arguments_are_one_line() -> None:
    for given, message in (
        ({"trees": TREES, "labels": LABELS[:5]}, "there are 120 trees, but 5 labels"),
        ({"trees": [], "labels": []}, "there are no trees"),
        ({"trees": TREES, "labels": LABELS, "task": "verify"}, "fit trains on trees"),
        ({"trees": TREES, "labels": LABELS, "validation": 2.0}, "validation is a share"),
        ({"trees": TREES, "labels": LABELS, "out": ""}, "out is an empty text"),
        ({"trees": TREES, "labels": LABELS, "colour": 1}, "unknown setting 'colour'"),
        ({"trees": TREES, "labels": LABELS, "model": "majority"}, "the model majority is for equations"),
    ):
        with pytest.raises(DataError, match=message):
            treesmu.fit(**given)  # type: ignore[arg-type]
    for name in ("callback", "out"):
        with pytest.raises(TypeError, match=rf"{name} is .*, not int"):
            treesmu.fit(TREES, LABELS, **{name: 3})  # type: ignore[arg-type]
    with pytest.raises(DataError, match="has no probabilities"):
        treesmu.fit(TREES, [label + 0.5 for label in LABELS], **FAST).predict_proba(TREES)


def test_a_list_that_contains_itself_is_one_line() -> None:
    endless: list[Any] = ["MAX", 1]
    endless.append(endless)
    with pytest.raises(DataError, match="tree 0: a list contains itself"):
        treesmu.fit([endless, *TREES], [1, *LABELS], **FAST)


def test_parameters_of_another_type_are_refused() -> None:
    for validation in ("x", None):
        with pytest.raises(TypeError, match="validation is a share of the rows"):
            treesmu.fit(["a", "b"], [0, 1], validation=validation)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="validation is a share of the rows"):
        treesmu.fit(["a", "b"], [0, 1], validation=float("nan"))
    with pytest.raises(TypeError, match="labels are a list with one for each tree, not 5"):
        treesmu.fit(["a", "b"], 5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="cell has settings of the model by name"):
        treesmu.fit(["a", "b"], [0, 1], cell="x")
