"""A user's own trees become a corpus: what is in which split, what identifies it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tree_files import small, write_trees
from treesmu.data import DataError
from treesmu.data.tree_files.read import read_trees
from treesmu.experiments.tree_files import TreeFiles, TreeFileSettings


def make(path: Path, task: str = "regress", **settings: Any) -> TreeFiles:
    return TreeFiles(path, TreeFileSettings(trees=path.name, task=task, **settings))  # type: ignore[arg-type]


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(corpus: TreeFiles, folder: Path) -> dict[str, list[float]]:
    """Write the corpus and return the labels of each split."""
    folder.mkdir()
    corpus.write(folder)
    return {file.stem: read_trees(file).answer.tolist() for file in sorted(folder.glob("*.jsonl"))}


def chain(depth: int, label: float, **columns: Any) -> dict[str, Any]:
    """Return a row with a tree of this depth, different from those with other labels."""
    return {"tree": "(f " * depth + f"x{label:g}" + ")" * depth, "label": label, **columns}


def test_named_splits_are_kept(tmp_path: Path) -> None:
    names = ["train", "dev", "train", "test", "train"]
    file = write(tmp_path / "a.jsonl", *(chain(k, k + 0.5, split=name) for k, name in enumerate(names)))
    corpus = make(file)
    assert written(corpus, tmp_path / "out") == {"train": [0.5, 2.5, 4.5], "validation": [1.5], "test": [3.5]}
    assert corpus.content()["trained_depths"] == [0, 4]
    shallow = make(file, train_depths=(0, 2))  # as treesmu train --depths 0-2
    assert written(shallow, tmp_path / "shallow") == {"train": [0.5, 2.5], "validation": [1.5], "test": [3.5]}
    assert shallow.content()["trained_depths"] == [0, 2]


def test_a_folder_has_a_file_for_each_split_and_lacks_no_test(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / "train.jsonl", *(chain(1, k + 0.5) for k in range(4)))
    write(tmp_path / "data" / "dev.jsonl", chain(2, 9.5))
    corpus = make(tmp_path / "data")
    assert corpus.name == "data"
    assert written(corpus, tmp_path / "out") == {"train": [0.5, 1.5, 2.5, 3.5], "validation": [9.5]}
    assert set(corpus.content()["sha256"]) == {"train.jsonl", "dev.jsonl"}


def test_trees_of_other_depths_than_those_of_training_are_for_the_test(tmp_path: Path) -> None:
    rows = [chain(depth, 10 * depth + k / 100) for depth in range(1, 5) for k in range(20)]
    corpus = make(write(tmp_path / "a.jsonl", *rows), train_depths=(2, 3))
    found = written(corpus, tmp_path / "out")
    assert {name: len(labels) for name, labels in found.items()} == {"train": 32, "validation": 4, "test": 4 + 40}
    assert sorted(label for labels in found.values() for label in labels) == sorted(row["label"] for row in rows)
    assert all(20 <= label < 40 for name in ("train", "validation") for label in found[name])
    assert corpus.content()["trained_depths"] == [2, 3]


def test_the_splits_are_the_same_for_the_same_seed_and_drawn_without_depths(tmp_path: Path) -> None:
    file = write_trees(tmp_path / "a.jsonl", "regress", 60)
    first, again, other = (written(make(file, seed=seed), tmp_path / name) for seed, name in ((0, "a"), (0, "b"), (1, "c")))
    assert first == again != other
    assert set(first) == {"train", "validation", "test"}


def test_another_file_is_another_corpus(tmp_path: Path) -> None:
    rows = [chain(1, k + 0.5) for k in range(9)]
    first = write(tmp_path / "a.jsonl", *rows)
    (tmp_path / "there").mkdir()
    there = write(tmp_path / "there" / "a.jsonl", *rows)
    assert make(first).content() == make(there).content()
    changed = write(tmp_path / "there" / "a.jsonl", *rows[:-1], chain(1, 99.5))
    assert make(first).content() != make(changed).content()


@pytest.mark.parametrize(
    ("task", "row", "message"),
    [
        ("regress", {"tree": "(f b)", "label": "warm"}, "a.jsonl, line 10: 'label' is 'warm', not a finite number"),
        ("compare", {"tree": "(f b)", "label": 1}, "the task compare needs two trees per row, 'left' and 'right'"),
        ("tag", {"tree": "(f b)", "label": 1}, "a.jsonl: no node has a class"),
        ("classify", {"tree": "(g x1.5)", "label": 0.5, "split": "test"}, "'g'"),
    ],
)
def test_rows_that_a_run_could_not_use_are_refused_before_it_begins(
    task: str, row: dict[str, Any], message: str, tmp_path: Path
) -> None:
    names = ["train"] * 7 + ["validation"] * 2 if "split" in row else [""] * 9
    rows = [{"tree": f"(f (f x{k % 3}))", "label": k % 3 + 0.5, "split": name} for k, name in enumerate(names)]
    corpus = make(write(tmp_path / "a.jsonl", *rows, row), task)
    with pytest.raises(DataError, match=message):
        corpus.check(small(task))


def test_impossible_depths_and_files_are_refused(tmp_path: Path) -> None:
    file = write_trees(tmp_path / "a.jsonl", "regress", 9)
    with pytest.raises(DataError, match=r"a\.jsonl: no trees of depth 50-60, which are for training; there are: 2-3"):
        make(file, train_depths=(50, 60))
    with pytest.raises(DataError, match="there is no such file"):
        make(tmp_path / "nowhere.jsonl")
    with pytest.raises(ValueError, match="needs a corpus of equations"):
        make(file).rows((1, 7))


def test_a_name_is_that_of_one_file_in_a_folder(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        write_trees(tmp_path / name, "classify", 20)
    with pytest.raises(ValueError, match=r"\*\.jsonl: 2 files; name one file"):
        TreeFiles.find(TreeFileSettings(trees="*.jsonl", task="classify"), [tmp_path])
    found = TreeFiles.find(TreeFileSettings(trees="b.jsonl", task="classify"), [tmp_path / "nowhere", tmp_path])
    assert found.path == tmp_path / "b.jsonl"
