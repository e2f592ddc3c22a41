"""Rows are divided as the file says, or by the seed; in-memory tables have checksums."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tree_files import small, write_trees
from treesmu.data import DataError
from treesmu.data.tree_files.read import read_trees, trees_in_memory
from treesmu.training.trainer import Trainer
from treesmu.training.tree_data import TreeSplits, read_tree_source, splits_of_run


def test_splits_are_drawn_by_the_seed_if_the_file_has_none(tmp_path: Path) -> None:
    table = read_trees(write_trees(tmp_path / "a.jsonl", "classify", 100))
    one, again, other = (TreeSplits.divide(table, small("classify", seed=seed)) for seed in (1, 1, 2))
    assert [len(split) for split in (one.train, one.validation, one.test)] == [80, 10, 10]
    assert one.test.row.tolist() == again.test.row.tolist() != other.test.row.tolist()
    rows = np.concatenate([one.train.row, one.validation.row, one.test.row])
    assert sorted(rows.tolist()) == table.row.tolist()


def test_splits_of_the_file_are_kept() -> None:
    table = trees_in_memory(
        [{"tree": f"(f {i % 2})", "split": "test" if i < 5 else ""} for i in range(25)], [i % 2 for i in range(25)]
    )
    splits = TreeSplits.divide(table, small("classify"))
    assert splits.test.row.tolist() == [0, 1, 2, 3, 4]
    assert len(splits.validation) == 2
    assert len(splits.train) == 18


def test_depths_and_rows_select_training_rows_but_no_test_rows(tmp_path: Path) -> None:
    table = read_trees(write_trees(tmp_path / "a.jsonl", "classify", 200))
    splits = TreeSplits.divide(table, small("classify", depths="1-2", rows=20))
    assert len(splits.train) == 20
    assert set(splits.train.depth.tolist()) <= {1, 2}
    assert 3 in splits.test.depth.tolist()
    with pytest.raises(DataError, match="no train rows of depth 8-9"):
        TreeSplits.divide(table, small("classify", depths="8-9"))


def test_a_table_in_memory_is_identified_by_its_content() -> None:
    one, same, other = (trees_in_memory(["(f a)", "(f b)"], [0, last]) for last in (1, 1, 2))
    found = [read_tree_source(table)[1] for table in (one, same, other)]
    assert found[0] == found[1] != found[2]


def test_too_few_rows_to_divide_are_refused() -> None:
    for count in (1, 2):
        table = trees_in_memory(["a"] * count, [1] * count)
        with pytest.raises(DataError, match=f"{count} rows to divide; at least 3 are needed"):
            TreeSplits.divide(table, small("classify"))
    assert len(TreeSplits.divide(trees_in_memory(["a"] * 3, [1] * 3), small("classify")).train) == 1


def test_a_model_finds_the_splits_of_its_run_by_checksum(tmp_path: Path) -> None:
    table, files = read_tree_source(write_trees(tmp_path / "a.jsonl", "classify", 100))
    settings = small("classify", seed=3, depths="1-2", rows=20)
    note = {"corpus": {"moved.jsonl": files["a.jsonl"]}, "settings": settings.model_dump(mode="json")}
    found, wanted = splits_of_run(note, table, files), TreeSplits.divide(table, settings)
    assert found is not None
    for name in ("train", "validation", "test"):
        assert getattr(found, name).row.tolist() == getattr(wanted, name).row.tolist()
    assert splits_of_run({}, table, files) is None
    assert splits_of_run(note | {"corpus": {"a.jsonl": {"sha256": "other"}}}, table, files) is None


def test_test_trees_that_training_has_too_are_counted(tmp_path: Path) -> None:
    trees = [{"tree": f"(f {i % 5})", "split": "test" if i < 4 else "train"} for i in range(60)]
    trees.append({"tree": "(f (f 1))", "split": "test"})
    trainer = Trainer(trees_in_memory(trees, [i % 2 for i in range(61)]), tmp_path / "run", small("classify"), device="cpu")
    assert trainer.data.facts() == {"test_rows_in_training": 4}
