"""``treesmu sweep --task``: trials on trees are compared by the measure of their task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from in_process import treesmu
from sweeps import Elsewhere, run_sweep, summary_of
from tree_files import write_trees
from treesmu.engine.in_process import InProcess
from treesmu.training.settings import TrainSettings

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "sweep", *arguments)


def test_trials_on_trees_are_compared_by_their_accuracy(call: Any, tmp_path: Path) -> None:
    data, options = (
        write_trees(tmp_path / "trees.jsonl", "classify", 60),
        ["--task", "classify", "--epochs", 1, "--jobs", 1],
    )
    done = call(data, "--out", tmp_path / "out", *options, "--over", "cell.hidden=3,4", "--json")
    assert done.returncode == 0, done.stderr
    runs = [file.parent for file in (tmp_path / "out" / "runs").rglob("metrics.jsonl")]
    found = {run.name: json.loads((run / "metrics.jsonl").read_text())["validation_accuracy"] for run in runs}
    assert json.loads(done.stdout)["best"]["validation_accuracy"] == max(found.values())


def test_trials_of_numbers_are_compared_by_r2(call: Any, tmp_path: Path) -> None:
    data, out = write_trees(tmp_path / "trees.jsonl", "regress", 60), tmp_path / "out"
    options = ["--task", "regress", "--epochs", 2, "--jobs", 1, "--over", "cell.hidden=3,4", "--over", "loss=squared,huber"]
    done = call(data, "--out", out, *options)
    assert done.returncode == 0, done.stderr
    runs = {run.parent.name: run for run in (out / "runs").rglob("metrics.jsonl")}
    scores = {
        name: max(json.loads(line)["validation_r2"] for line in run.read_text().splitlines()) for name, run in runs.items()
    }
    best = max(scores, key=scores.__getitem__)
    tested = json.loads((out / "runs" / best / "test.json").read_text())["overall"]["r2"]
    assert done.stdout.splitlines()[0] == f"best    {best}   validation {scores[best]:.3f}   test {tested:.3f}"
    assert f"{best}   validation {scores[best]:.3f}   (" in done.stderr
    content = json.loads((out / "sweep.json").read_text())
    assert content["best"] == best
    assert sorted(trial["validation_r2"] for trial in content["trials"]) == sorted(scores.values())
    assert [trial["test_r2"] for trial in content["trials"] if trial["test_r2"] is not None] == [tested]
    assert "accuracy" not in json.dumps(content)
    assert "| validation R² | test R² |" in (out / "tables" / "trials.md").read_text()
    told = json.loads(call(data, "--out", out, *options, "--resume", "--json").stdout)["best"]
    assert (told["name"], told["validation_r2"], told["test_r2"]) == (best, scores[best], tested)


def test_a_file_of_trees_is_sent_to_an_engine_that_shares_no_files(tmp_path: Path) -> None:
    data, settings = write_trees(tmp_path / "trees.jsonl", "classify", 60), TrainSettings.of(task="classify", epochs=1)
    for name, executor in {"here": InProcess(), "elsewhere": Elsewhere()}.items():
        failed, _ = run_sweep(data, tmp_path / name, "cell.hidden=3,4", settings=settings, executor=executor)
        assert failed == []
    here, elsewhere = (summary_of(tmp_path / name) for name in ("here", "elsewhere"))
    assert here["trials"] == elsewhere["trials"]
