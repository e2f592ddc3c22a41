"""``treesmu reproduce --task``: models compared on a user's own trees, from the file to the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from tree_files import write_trees

PRESET = """
[corpora.listops]
trees = "listops"

[training.trees]
epochs = 1
batch = 16
cell = { hidden = 5 }

[studies.elsewhere]
models = ["lstm", "tree-lstm", "tree-smu"]
seeds = [1, 2]
"""


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, no_drawings: None) -> Any:
    del no_drawings
    preset = tmp_path / "mine.toml"
    preset.write_text(PRESET)
    return lambda *given: treesmu(
        capsys, "reproduce", "--preset", preset, "--out", tmp_path / "out", "--jobs", 1, "--engine", "local", *given
    )


def test_numbers_are_compared_by_r2_and_a_second_call_does_nothing_again(call: Any, tmp_path: Path) -> None:
    data, out = write_trees(tmp_path / "my values.jsonl", "regress", 60), tmp_path / "out"
    options = ["--corpus", data, "--task", "regress", "--depths", "1-2"]
    done = call(*options)
    assert done.returncode == 0, done.stderr
    tested = {json.loads(file.read_text())["overall"]["r2"] for file in out.rglob("test.json")}
    assert len(tested) == 6
    for r2 in tested:
        assert f"test {r2:.3f}" in done.stderr
    table = (out / "tables" / "elsewhere-r2.md").read_text()
    assert "**R² on other trees, trained shallow and tested deep**" in table
    assert "| my-values, trained on depth 1-2 | mean of the labels | – | – | 0.000 | 0.000 | – |" in table
    assert "%" not in table
    assert (out / "tables" / "elsewhere-stack-r2.csv").exists()
    assert (out / "tables" / "differences-r2.csv").exists()
    assert not (out / "tables" / "elsewhere.md").exists()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "of R²; " in page
    assert "most common class" not in page
    again = call(*options, "--resume")
    assert (again.returncode, again.stderr.splitlines()[0]) == (0, "runs: 0 to do, 6 done")

    before = (out / "plan.json").read_bytes()
    data.write_text(data.read_text().replace("1.5", "2.5", 1))
    assert_refused(call(*options, "--resume"), f"{out}: made with another corpus 'my-values'; give a new folder")
    other = write_trees(tmp_path / "other.jsonl", "regress", 60)
    another = ["--corpus", other, "--task", "regress", "--resume"]
    assert_refused(call(*another), f"{out}: made with another corpus 'my-values'; give a new folder")
    assert (out / "plan.json").read_bytes() == before


def test_models_that_cannot_tag_are_left_out_with_a_line(call: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call("--corpus", write_trees(tmp_path / "tags.jsonl", "tag", 40), "--task", "tag")
    assert done.returncode == 0, done.stderr
    reason = "lstm on tags: the task tag is for tree models; lstm has no states of nodes"
    assert done.stderr.splitlines()[0] == f"treesmu: left out: {reason}"
    assert {file.parents[2].name for file in out.rglob("test.json")} == {"tree-lstm", "tree-smu"}
    table = (out / "tables" / "elsewhere.md").read_text()
    assert "**Accuracy on other trees**" in table  # all test trees have depths of training
    assert "deeper %" not in table
    assert "Of nodes, not of trees: tags." in table
    page = (out / "report.html").read_text(encoding="utf-8")
    assert f"Elsewhere: left out, {reason}." in page
    assert "On new trees of the depths of training, the stack helps in " in page


@pytest.mark.parametrize("task", ["classify", "compare"])
def test_classes_of_trees_and_of_pairs_are_compared_by_accuracy(call: Any, task: str, tmp_path: Path) -> None:
    done = call("--corpus", write_trees(tmp_path / "a.jsonl", task, 40), "--task", task, "--json")
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout)["runs"], json.loads(done.stdout)["failed"]) == (6, [])
    assert "most common class" in (tmp_path / "out" / "tables" / "elsewhere.md").read_text()


def test_a_folder_without_a_test_is_trained_and_reported(call: Any, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_trees(tmp_path / "data" / "train.jsonl", "regress", 30)
    write_trees(tmp_path / "data" / "dev.jsonl", "regress", 5)
    done = call("--corpus", tmp_path / "data", "--task", "regress")
    assert done.returncode == 0, done.stderr
    assert "   test " not in done.stderr
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "regress"], "--task is the task of a --corpus of trees; name that too, such as --corpus trees.jsonl"),
        (["--corpus", "{trees}"], "{trees}: has trees, not equations; say what is to be learned: --task classify, "),
        (["--corpus", "{trees}", "--depths", "1-2"], "--depths is for a --corpus of trees, with --task"),
        (["--corpus", "{trees}", "--task", "verify"], "--task 'verify': unknown task of trees; known: classify, regress, "),
        (["--corpus", "{trees}", "--task", "tag"], "mine.toml: {trees}: no node has a class; give 'tags'"),
        (["--corpus", "{trees}", "--task", "compare"], "mine.toml: {trees}"),
        (["--corpus", "{trees}", "--task", "regress", "--depths", "40-50"], "{trees}: no trees of depth 40-50"),
        (["--corpus", "{trees}", "--task", "regress", "--preset", "paper"], "productivity: it needs equations; models are"),
        (["--corpus", "{words}", "--task", "regress"], "'label' is 'warm', not a finite number"),
        (["--corpus", "nowhere.jsonl", "--task", "regress"], "nowhere.jsonl: there is no such file; give a file of trees"),
        (["--corpus", "{equations}", "--task", "classify"], "there is no column 'tree', nor 'left' and 'right'"),
        (["--corpus", "{equations}"], "elsewhere: it is about trees that are no equations; name their task with --task"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    call: Any, corpus: Path, arguments: list[str], message: str, tmp_path: Path
) -> None:
    trees = write_trees(tmp_path / "trees.jsonl", "regress", 20)
    words = write_trees(tmp_path / "words.jsonl", "regress", 20, label="warm")
    names = {"trees": trees, "words": words, "equations": corpus}
    assert_refused(call(*(text.format(**names) for text in arguments)), message.format(**names))
    assert not (tmp_path / "out").exists()
