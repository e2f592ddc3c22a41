"""``treesmu reproduce`` in the process of the test; what it computes is tested in tests/experiments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from reproduced import small_folder
from tiny_presets import SMALLER
from treesmu.experiments import reproduce as experiments


class Finished:
    """In place of a reproduction: the folder is there already, and some runs have failed."""

    failed: tuple[str, ...] = ()
    made: dict[str, Any]

    def __init__(self, preset: Any, out: Path, **how: Any) -> None:
        type(self).made = {"preset": preset.name, **how}
        self.out, self.runs = out, ["one", "two"]

    def run(self, executor: Any, progress: Any) -> list[str]:
        del executor
        small_folder(self.out)
        progress("corpus", {"name": "tiny"})
        progress("runs", {"all": 2, "todo": 2})
        for name in self.runs:
            failed = name in self.failed
            progress("run", {"name": name, "error": "it broke" if failed else None, "log": "", "validation": 0.5, "test": 0.25})
        return list(self.failed)


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch, no_drawings: None) -> type[Finished]:
    del no_drawings
    monkeypatch.setattr(Finished, "failed", ())
    monkeypatch.setattr(experiments, "Reproduction", Finished)
    return Finished


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    (tmp_path / "mine.toml").write_text(SMALLER)
    return lambda *arguments: treesmu(capsys, "reproduce", "--out", tmp_path / "out", "--jobs", 1, *arguments)


def test_runs_are_reported_as_they_end_and_the_report_at_the_end(call: Any, finished: type[Finished], tmp_path: Path) -> None:
    done = call("--preset", tmp_path / "mine.toml", "--only", "stack_size", "--resume")
    assert (done.returncode, done.stdout) == (0, f"report: {tmp_path / 'out' / 'report.html'}\n")
    lines = done.stderr.splitlines()
    assert lines[:2] == ["corpus tiny", "runs: 2 to do"]
    assert lines[2].startswith("[1/2] one   validation 50.0%   test 25.0%   (")
    assert lines[-1] == "report"
    assert finished.made == {"preset": "mine", "only": ["stack_size"], "resume": True, "device": "cpu"}


def test_runs_that_fail_are_named_and_the_report_is_written_all_the_same(
    call: Any, finished: type[Finished], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "failed", ("two",))
    done = call("--preset", tmp_path / "mine.toml", "--json")
    assert done.returncode == 1
    report = tmp_path / "out" / "report.html"
    assert json.loads(done.stdout) == {"out": str(tmp_path / "out"), "runs": 2, "failed": ["two"], "report": str(report)}
    assert report.exists()
    assert done.stderr == "treesmu: 1 failed, the first: two; remove the cause and continue with --resume\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--preset", "fast"], "unknown preset 'fast'; known: "),
        (["--preset", "nowhere.toml"], "nowhere.toml: cannot be read: "),
        (["--only", "alchemy"], "alchemy"),
        (["--files", "nowhere"], "--files nowhere: there is no such folder"),
        (["--engine", "abacus"], "unknown engine 'abacus'; known: local, ray"),
        (["--address", "127.0.0.1:1"], "--address is the address of a Ray cluster: add --engine ray"),
        (["--device", "abacus"], "unknown device 'abacus'; known: auto, cpu, cuda"),
        (["--plugin", "nowhere.py"], "nowhere.py"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(call: Any, arguments: list[str], message: str, tmp_path: Path) -> None:
    assert_refused(call(*arguments), message)
    assert not (tmp_path / "out").exists()


def test_corpora_whose_files_are_missing_are_named(call: Any, finished: type[Finished], tmp_path: Path) -> None:
    text = f'{SMALLER}\n[corpora.theirs]\nfiles = ["theirs.json"]\n[studies.localism]\ncorpora = ["theirs"]\n'
    (tmp_path / "mine.toml").write_text(text)
    done = call("--preset", tmp_path / "mine.toml", "--files", tmp_path)
    assert done.returncode == 0
    reason = f"theirs.json is not in {tmp_path}"
    assert done.stderr.splitlines()[:2] == [
        f"treesmu: corpus theirs is left out: {reason}",
        f"treesmu: study localism is left out: corpus theirs: {reason}",
    ]
    assert finished.made["preset"] == "mine"
