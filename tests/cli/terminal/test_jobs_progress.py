"""The progress of many jobs: one line for each that ends."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from clock import Clock
from treesmu.cli.terminal.jobs_progress import JobsProgress, exit_if_any


def job(name: str, error: str | None = None, log: str = "") -> dict[str, Any]:
    return {"name": name, "error": error, "log": log}


def test_each_job_that_ends_is_counted_with_the_time_left(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    progress = JobsProgress(is_quiet=False)
    progress.begin("runs", 5, done_before=2)
    clock.now += 10
    progress.end(job("first"), "validation 80.0%")
    clock.now += 20
    progress.end(job("second"), "")
    assert capsys.readouterr().err.splitlines() == [
        "runs: 3 to do, 2 done",
        "[3/5] first   validation 80.0%   (0:20 left)",
        "[4/5] second   (0:15 left)",
    ]


def test_a_job_that_fails_is_shown_with_its_log(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    del clock
    progress = JobsProgress(is_quiet=False)
    progress.begin("runs", 1)
    progress.end(job("first", "DataError: no", "a traceback"), "not shown")
    assert capsys.readouterr().err.splitlines() == [
        "runs: 1 to do",
        "[1/1] first   failed: DataError: no   (0:00 left)",
        "a traceback",
    ]


def test_a_quiet_progress_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    progress = JobsProgress(is_quiet=True)
    progress.begin("runs", 1)
    progress.end(job("first", "an error", "a log"), "")
    assert capsys.readouterr() == ("", "")


def test_failed_jobs_end_the_command_with_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    exit_if_any([])
    with pytest.raises(typer.Exit) as ended:
        exit_if_any(["first", "second"])
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == "treesmu: 2 failed, the first: first; remove the cause and continue with --resume\n"
