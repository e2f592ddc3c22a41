"""A run has the task of its settings, and is identified by its data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree_files import small, write_trees
from treesmu.data import DataError
from treesmu.data.tree_files.read import read_trees, trees_in_memory
from treesmu.tasks.verification import Verification
from treesmu.training.run_tasks import open_task
from treesmu.training.settings import TrainSettings


def test_equations_and_trees_have_their_tasks(corpus: Path, tmp_path: Path) -> None:
    assert isinstance(open_task(corpus, TrainSettings.of()).task, Verification)
    data = write_trees(tmp_path / "a.jsonl", "classify")
    run = open_task(data, small("classify"))
    assert run.task.measure.key == "accuracy"
    assert open_task(data, small("regress")).task.measure.key == "r2"
    assert run.identity["corpus"]["a.jsonl"]["rows"] == 120


def test_other_data_are_another_run(tmp_path: Path) -> None:
    data = write_trees(tmp_path / "a.jsonl", "classify")
    before = open_task(data, small("classify")).identity
    assert open_task(data, small("classify")).identity == before
    write_trees(tmp_path / "a.jsonl", "classify", 100)
    assert open_task(data, small("classify")).identity["corpus"] != before["corpus"]
    table = read_trees(data)
    assert open_task(table, small("classify")).identity["corpus"][str(data)]["rows"] == 100


def test_trees_in_memory_are_no_equations() -> None:
    with pytest.raises(DataError, match="the task verify is for a corpus of equations"):
        open_task(trees_in_memory(["a"], [1]), TrainSettings.of())
