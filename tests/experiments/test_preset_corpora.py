"""The corpora of a preset's TOML file: a user's own trees beside generated ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree_files import write_trees
from treesmu.data import DataError
from treesmu.experiments.file_corpus import MissingFileError
from treesmu.experiments.preset import Preset
from treesmu.experiments.preset_corpora import make_corpus
from treesmu.experiments.tree_corpus import TreeCorpus
from treesmu.experiments.tree_files import TreeFiles

TOML = """
[corpora.listops]
trees = "listops"

[corpora.mine]
trees = "mine.jsonl"
task = "regress"
train_depths = [1, 2]

[training.trees]
epochs = 1

[studies.elsewhere]
corpora = ["listops", "mine"]
models = ["tree-lstm", "tree-smu"]
"""


def test_a_file_of_trees_is_a_corpus_beside_a_generator(tmp_path: Path) -> None:
    write_trees(tmp_path / "mine.jsonl", "regress", 60)
    preset = Preset("test", TOML, "test", folders=[tmp_path])
    assert {name: type(corpus) for name, corpus in preset.corpora.items()} == {"listops": TreeCorpus, "mine": TreeFiles}
    assert {run.settings.task for run in preset.runs(["elsewhere"]) if run.source_corpus == "mine"} == {"regress"}
    mine = preset.content["corpora"]["mine"]
    assert (mine["trees"], mine["task"], mine["train_depths"], mine["trained_depths"]) == (
        "mine.jsonl",
        "regress",
        [1, 2],
        [1, 2],
    )
    assert set(mine["sha256"]) == {"mine.jsonl"}
    assert preset.content["corpora"]["listops"] == {"trees": "listops"}


def test_a_file_that_is_missing_is_left_out_and_named(tmp_path: Path) -> None:
    preset = Preset("test", TOML, "test", folders=[tmp_path])
    assert preset.missing == {"mine": f"mine.jsonl is not in {tmp_path}"}
    assert {run.source_corpus for run in preset.runs(["elsewhere"])} == {"listops"}
    with pytest.raises(MissingFileError, match=r"mine\.jsonl was not given; name its folder with --files"):
        make_corpus("mine", {"trees": "mine.jsonl", "task": "tag"}, [])
    with pytest.raises(DataError, match=r"corpus mine: mine\.jsonl was not given"):
        Preset("test", TOML.replace('"listops", ', ""), "test")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('task = "regress"', "", "test: corpus mine: task: Field required"),
        ('"regress"', '"verify"', "corpus mine: task: Input should be 'classify', 'regress', 'compare' or 'tag', not 'verify'"),
        ("[1, 2]", "[2, 1]", "corpus mine: train_depths: expected .A, B. with 0 <= A <= B"),
        ("train_depths", "depths", "corpus mine: depths: Extra inputs are not permitted"),
        ('"mine.jsonl"', '"../mine.jsonl"', "corpus mine: '../mine.jsonl' is not the name of a file in a folder"),
        ('"mine.jsonl"', '"logic"', "corpus mine: unknown setting 'task' of logic"),
        (
            '"mine.jsonl"\ntask = "regress"',
            '"oak"',
            "unknown generator of trees 'oak'; known: listops, .*; or give a file and its",
        ),
        ('"regress"', '"tag"', r"mine\.jsonl: no node has a class"),
    ],
)
def test_impossible_corpora_of_trees_are_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    write_trees(tmp_path / "mine.jsonl", "regress", 60)
    with pytest.raises(DataError, match=message):
        Preset("test", TOML.replace(old, new), "test", folders=[tmp_path])
