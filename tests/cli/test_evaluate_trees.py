"""``treesmu train --task`` and ``treesmu evaluate`` on files of trees, in the process of the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from tree_files import write_trees

FAST = ("--epochs", "1", "--hidden", "6", "--device", "cpu")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


@pytest.mark.parametrize("task", ["classify", "regress", "compare", "tag"])
def test_a_file_of_trees_is_trained_on_and_evaluated(call: Any, task: str, tmp_path: Path) -> None:
    data, run = write_trees(tmp_path / "data.jsonl", task, 60), tmp_path / "run"
    done = call("train", data, "--task", task, "--out", run, *FAST)
    assert done.returncode == 0, done.stderr
    assert "trees" in done.stdout.splitlines()[0]
    measured = json.loads(call("evaluate", run, data, "--json").stdout)
    assert measured["task"] == task
    assert measured["overall"]["trees"] > 0
    text = call("evaluate", run, data).stdout.splitlines()
    assert [line.split()[0] for line in text] == ["depth", *measured["by_depth"], "all"]


def test_depths_splits_and_the_folder_of_results(call: Any, tmp_path: Path) -> None:
    data, run = write_trees(tmp_path / "data.jsonl", "classify", 80), tmp_path / "run"
    assert call("train", data, "--task", "classify", "--out", run, "--depths", "1-2", *FAST).returncode == 0
    assert list(json.loads(call("evaluate", run, data, "--depths", "2", "--json").stdout)["by_depth"]) == ["2"]
    test = write_trees(tmp_path / "test.jsonl", "classify", 20, split="test")
    assert json.loads(call("evaluate", run, test, "--json", "--out", tmp_path / "out").stdout)["overall"]["trees"] == 20
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"test.json", "predictions.parquet"}
    assert_refused(call("evaluate", run, test, "--split", "train"), "no trees in the split train")
    assert_refused(call("evaluate", run, data, "--depths", "9"), "no trees of depth 9-9")


def test_options_of_equations_are_refused(call: Any, tmp_path: Path) -> None:
    data, run = write_trees(tmp_path / "data.jsonl", "classify", 60), tmp_path / "run"
    assert call("train", data, "--task", "classify", "--out", run, *FAST).returncode == 0
    assert_refused(
        call("evaluate", run, data, "--raw"), "--raw is for models of equations; this one was trained to classify trees"
    )
    assert_refused(
        call("evaluate", run, data, "--task", "complete"), "--task complete: this model was trained to classify trees"
    )
    assert_refused(call("verify", "x = x", "--model", run), "a model of trees (task classify), not of equations")
    assert_refused(
        call("train", data, "--task", "classify", "--stream", "--out", tmp_path / "b"), "stream is a setting of equations"
    )
    assert_refused(
        call("train", data, "--task", "dream", "--out", tmp_path / "b"), "setting task: Input should be 'verify', 'classify'"
    )
    assert_refused(
        call("train", data, "--task", "tag", "--model", "lstm", "--out", tmp_path / "b"), "the task tag is for tree models"
    )
    assert not (tmp_path / "b").exists()


def test_a_bad_line_is_named_and_nothing_is_written(call: Any, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "classify", 5)
    data.write_text(data.read_text() + '{"tree": ["f", [] ], "label": 1}\n', encoding="utf-8")
    assert_refused(
        call("train", data, "--task", "classify", "--out", tmp_path / "run"), f"{data}, line 6: an empty list is no tree"
    )
    assert not (tmp_path / "run").exists()


def test_the_file_of_a_run_is_divided_as_the_run_divided_it(call: Any, tmp_path: Path) -> None:
    data, run = write_trees(tmp_path / "data.jsonl", "classify", 60), tmp_path / "run"
    done = call("train", data, "--task", "classify", "--out", run, *FAST)
    assert f"next: treesmu evaluate {run} {data}" in done.stdout
    stored = json.loads((run / "test.json").read_text())["overall"]
    assert stored["trees"] == 6
    assert json.loads(call("evaluate", run, data, "--json").stdout)["overall"] == stored
    counts = {
        split: json.loads(call("evaluate", run, data, "--json", "--split", split).stdout)["overall"]["trees"]
        for split in ("train", "validation", "all")
    }
    assert counts == {"train": 48, "validation": 6, "all": 60}
    assert_refused(call("evaluate", run, data, "--split", "later"), "unknown split; known: test, validation, train, all")
    other = call("evaluate", run, write_trees(tmp_path / "other.jsonl", "classify", 20), "--json")
    assert json.loads(other.stdout)["overall"]["trees"] == 20
    assert "is not what the model was trained on: all rows are measured" in other.stderr


def test_without_test_rows_nothing_is_proposed_next(call: Any, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "classify", 60, split="train")
    done = call("train", data, "--task", "classify", "--out", tmp_path / "run", *FAST)
    assert done.returncode == 0
    assert "next:" not in done.stdout


def test_rows_that_a_model_cannot_be_measured_on_are_refused(call: Any, tmp_path: Path) -> None:
    data, run = write_trees(tmp_path / "a.jsonl", "regress", 60), tmp_path / "run"
    assert call("train", data, "--task", "regress", "--out", run, *FAST).returncode == 0
    text = write_trees(tmp_path / "text.jsonl", "regress", 9, label="warm")
    assert_refused(
        call("evaluate", run, text, "--out", tmp_path / "b"), f"{text}, line 1: 'label' is 'warm', not a finite number"
    )
    none = write_trees(tmp_path / "none.jsonl", "regress", 9, label=None)
    assert_refused(call("evaluate", run, none, "--out", tmp_path / "b"), f"{none}: no labelled trees in the split test")
    assert not (tmp_path / "b").exists()
