"""LocalProcesses: jobs in other processes of this machine, which end with their parent and affect no other job."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine_jobs import TIMEOUT, is_group_gone, leave_mark, return_unpicklable, wait_for_mark, wait_until
from treesmu.engine import open_executor


def test_jobs_run_in_other_processes_and_at_the_same_time(tmp_path: Path) -> None:
    """Each of two jobs waits until the other has started."""
    with open_executor("local", 2) as executor:
        tasks = [(str(tmp_path), number, 1 - number) for number in range(2)]
        pids = {pid for _, pid in executor.in_order(wait_for_mark, tasks)}
    assert os.getpid() not in pids
    assert len(pids) == 2


def test_one_job_at_a_time_runs_beside_this_process_if_asked_to() -> None:
    with open_executor("local", 1, beside=True) as executor:
        pids = set(executor.in_order(os.getpid, [(), ()]))
    assert len(pids) == 1
    assert os.getpid() not in pids


@pytest.mark.parametrize(
    ("function", "argument", "error", "tries"),
    [
        (os._exit, 9, "a worker process exited with code 9", 2),
        (os.abort, None, "a worker process crashed (SIGABRT)", 2),
        (sys.exit, 3, "SystemExit: 3", 1),
        (return_unpicklable, 0, "TypeError: cannot pickle '_thread.lock' object", 1),
    ],
)
def test_how_a_job_failed_is_said_in_one_line(function: Callable[..., Any], argument: Any, error: str, tries: int) -> None:
    with open_executor("local", 2) as executor:
        (job,) = executor.as_completed(function, [() if argument is None else (argument,)])
        assert (job.error, job.tries, job.result) == (error, tries, None)
        assert [job.result for job in executor.as_completed(abs, [(-1,)])] == [1]  # it can still be used


def test_a_job_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with open_executor("local", 2) as executor:
        assert [job.result for job in executor.as_completed(os.getenv, [("OMP_NUM_THREADS",)])] == ["1"]


def test_leaving_early_waits_for_no_job(tmp_path: Path) -> None:
    """The other jobs wait for what the test does after leaving."""
    release = 1000
    with open_executor("local", 2) as executor:
        tasks = [(str(tmp_path), number, release if number else None) for number in range(6)]
        assert next(executor.as_completed(wait_for_mark, tasks)).number == 0
    leave_mark(str(tmp_path), release)


def test_ctrl_c_ends_all_processes() -> None:
    code = (
        "import time; from treesmu.engine import open_executor\n"
        "with open_executor('local', 2) as executor:\n"
        f"    for _ in executor.as_completed(time.sleep, [(0,), (0,), *[({10 * TIMEOUT},)] * 5]): print('one', flush=True)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    with child:
        assert child.stdout is not None
        assert [child.stdout.readline() for _ in range(2)] == ["one\n"] * 2
        os.killpg(child.pid, signal.SIGINT)
        _, errors = child.communicate(timeout=TIMEOUT)
    assert child.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert errors.count("Traceback") == 1  # the workers print nothing
    wait_until(lambda: is_group_gone(child.pid))
