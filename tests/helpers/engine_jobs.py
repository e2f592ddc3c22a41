"""Jobs for the tests of executors, which wait for files instead of for a time; and waiting for a condition."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TIMEOUT = 600  # seconds; only against hanging: on an idle machine the conditions come true at once


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, "the condition does not come true"
        time.sleep(0.01)


def process_of(number: int) -> tuple[int, int]:
    """Return the number of the job, and the process that runs it."""
    return number, os.getpid()


def leave_mark(folder: str, number: int) -> int:
    """Create a file."""
    Path(folder, str(number)).touch()
    return number


def wait_for_mark(folder: str, number: int, awaited: int | None) -> tuple[int, int]:
    """Create a file, and wait for the file of another job or of the test, if one is named."""
    leave_mark(folder, number)
    if awaited is not None:
        wait_until(Path(folder, str(awaited)).exists)
    return number, os.getpid()


def kill_own_process(number: int) -> int:
    """Kill the worker if this is job 1."""
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def kill_own_process_once(folder: str, number: int) -> int:
    """Kill the worker if this is the first try of job 1."""
    mark = Path(folder, "killed")
    if number == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    """Raise an exception if this is job 2."""
    if number == 2:
        raise KeyError(f"job {number}")
    return number


def return_unpicklable(_: int) -> Any:
    """Return a lock."""
    return threading.Lock()


def registered_models(number: int) -> tuple[int, tuple[str, ...]]:
    """Return the names of the models that the job's process knows."""
    from treesmu import registry

    return number, registry.names()


def is_group_gone(group: int) -> bool:
    """Return whether no process of a process group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
