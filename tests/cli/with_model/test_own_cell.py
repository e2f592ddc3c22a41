"""A cell of a user's own, in one short file, goes through every command with ``--plugin``; no other file is touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import in_process
from copied_process import run_copy
from in_process import assert_refused
from paths import HELPERS
from tiny_presets import tiny_preset

PLUGIN = HELPERS / "my_cell.py"
UNKNOWN = "unknown model 'my-cell'"
REMEDY = "--plugin"

pytestmark = pytest.mark.xdist_group("own-cell")  # it is trained once


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that asserts that a command is refused with these messages; every test starts without plugins."""
    return lambda command, *messages: assert_refused(in_process.treesmu(capsys, *command), *messages)


@pytest.fixture(scope="module")
def run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder of the cell, trained on the command line."""
    out = tmp_path_factory.mktemp("runs") / "mine"
    options = ["--epochs", 2, "--batch", 20, "--hidden", 5]
    done = run_copy("train", corpus, "--model", "my-cell", "--plugin", PLUGIN, "--out", out, *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("my-cell  n=5  ")
    assert done.stdout.splitlines()[-1] == f"next: treesmu evaluate {out} {corpus} --plugin {PLUGIN}"
    return out


def test_the_file_of_the_cell_is_at_most_25_lines() -> None:
    assert len(PLUGIN.read_text(encoding="utf-8").splitlines()) <= 25


def test_it_is_evaluated_in_a_fresh_process(run: Path, corpus: Path) -> None:
    done = run_copy("evaluate", run, corpus, "--plugin", PLUGIN, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    measures = json.loads(done.stdout)
    assert measures["overall"] == json.loads((run / "test.json").read_text())["overall"]


def test_it_verifies_and_completes(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process.treesmu(capsys, "verify", "x + y = y + x", "--model", run, "--plugin", PLUGIN, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = json.loads(done.stdout)
    assert 0 <= row["probability"] <= 1
    (tmp_path / "fillers.txt").write_text("x\ny\n")
    fillers = ("--candidates", tmp_path / "fillers.txt")
    done = in_process.treesmu(capsys, "complete", "x + _ = y + x", "--model", run, "--plugin", PLUGIN, "--json", *fillers)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["model"] == "my-cell"


def test_it_is_resumed(run: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process.treesmu(capsys, "train", corpus, "--out", run, "--resume", "--plugin", PLUGIN, "--json")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_the_plugin_every_command_says_in_one_line_what_to_do(
    refused: Any, run: Path, corpus: Path, tmp_path: Path
) -> None:
    for arguments in [
        ("train", corpus, "--model", "my-cell", "--out", tmp_path / "run"),
        ("evaluate", run, corpus),
        ("verify", "x = x", "--model", run),
        ("complete", "x = _", "--model", run),
        ("sweep", corpus, "--model", "my-cell", "--out", tmp_path / "sweep", "--over", "batch=10,20"),
    ]:
        refused(arguments, UNKNOWN, REMEDY)
    assert list(tmp_path.iterdir()) == []


def test_a_plugin_that_fails_is_one_line(refused: Any, corpus: Path, tmp_path: Path) -> None:
    missing, wrong, taken = tmp_path / "missing.py", tmp_path / "wrong.py", tmp_path / "taken.py"
    wrong.write_text("import treesmu\n\n1 / 0\n")
    taken.write_text("import treesmu\nfrom treesmu.models import TreeRNN\ntreesmu.register('tree-smu', TreeRNN)\n")
    for plugin, message in [
        (missing, f"plugin {missing}: cannot be read: No such file or directory"),
        (wrong, f"plugin {wrong}, line 3: ZeroDivisionError: division by zero"),
        (taken, "'tree-smu' is already taken"),
    ]:
        refused(("train", corpus, "--out", tmp_path / "run", "--plugin", plugin), message)
    assert not (tmp_path / "run").exists()


STUDY = {"recipes": ["paper"], "models": ["my-cell", "tree-rnn"], "seeds": [1]}


def test_it_is_reproduced_by_worker_processes_and_shown_in_the_report(
    refused: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(tiny_preset(productivity=STUDY))
    out = tmp_path / "out"
    options = ("--preset", tmp_path / "mine.toml", "--out", out, "--jobs", 2)
    refused(("reproduce", *options), UNKNOWN)
    assert not out.exists()
    done = in_process.treesmu(capsys, "reproduce", *options, "--plugin", PLUGIN, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["failed"] == []
    page = (out / "report.html").read_text(encoding="utf-8")
    table = (out / "tables" / "productivity.md").read_text(encoding="utf-8")
    (test,) = (out / "runs").glob("**/my-cell/**/test.json")
    accuracy = json.loads(test.read_text())["overall"]["accuracy"]
    assert 0 <= accuracy <= 1
    assert "my-cell" in page
    assert "my-cell" in table
    assert any("my-cell" in file.read_text(encoding="utf-8") for file in (out / "figures").glob("*.csv"))
    done = in_process.treesmu(capsys, "report", out)  # again, without the cell: the report reads result files only
    assert (done.returncode, done.stderr) == (0, "")
    assert (out / "tables" / "productivity.md").read_text(encoding="utf-8") == table
