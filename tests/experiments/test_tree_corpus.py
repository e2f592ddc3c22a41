"""A corpus of trees is written as a file for each split; wrong settings are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from treesmu.data.tree_files.read import read_trees
from treesmu.experiments.tree_corpus import KINDS, TreeCorpus

SMALL = {"train": 20, "validation": 4, "test": 4}


@pytest.mark.parametrize("kind", KINDS)
def test_a_corpus_is_a_folder_that_is_trained_on(kind: str, tmp_path: Path) -> None:
    corpus = TreeCorpus({"trees": kind, **SMALL})
    corpus.write(tmp_path)
    table = read_trees(tmp_path)
    assert set(table.split.tolist()) == {"train", "validation", "test"}
    assert table.is_pairs == (corpus.task == "compare")
    files = json.loads((tmp_path / "manifest.json").read_text())["files"]
    assert set(files) == {"train.jsonl", "validation.jsonl", "test.jsonl"}


def test_ranges_may_be_lists_and_unknown_settings_are_refused() -> None:
    assert TreeCorpus({"trees": "listops", "train_depths": [1, 3]}).trained == (1, 3)
    assert TreeCorpus({"trees": "logic"}).trained == (1, 4)
    with pytest.raises(ValueError, match="unknown setting 'colour' of listops; known: train, "):
        TreeCorpus({"trees": "listops", "colour": 1})
    with pytest.raises(ValueError, match="unknown generator of trees 'oak'; known: listops, logic, arithmetic"):
        TreeCorpus({"trees": "oak"})
    with pytest.raises(ValueError, match="needs a corpus of equations"):
        TreeCorpus({"trees": "listops"}).rows((1, 7))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"train": -1}, "train: expected a whole number of at least 1, not -1"),
        ({"train": 1.5}, "train: expected a whole number"),
        ({"seed": True}, "seed: expected a whole number of at least 0"),
        ({"train_depths": [3, 1]}, "train_depths: expected [A, B] with 0 <= A <= B <= 100, not [3, 1]"),
        ({"test_depths": "1-3"}, "test_depths: expected [A, B]"),
        ({"test_depths": [1, 10**9]}, "test_depths: expected [A, B]"),
    ],
)
def test_impossible_settings_are_refused_before_anything_is_generated(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        TreeCorpus({"trees": "listops", **given})
