"""Commands in process groups: commands in the middle of their work, and which processes are alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from engine_jobs import wait_until

PATIENCE = 600  # seconds; only guards against hanging
ENDLESS_JOBS = Path(__file__).with_name("endless_jobs.py")


@contextmanager
def at_work(arguments: list[object], jobs: int, folder: Path, stderr: IO[bytes] | int) -> Iterator[subprocess.Popen[bytes]]:
    """Start ``treesmu ARGUMENTS --jobs JOBS`` in a process group of its own, and wait until all its jobs have begun.

    The jobs do not end by themselves. What is left of the group is killed in the end.
    """
    with TemporaryDirectory() as begun:
        command = [sys.executable, ENDLESS_JOBS, begun, *arguments, "--jobs", jobs]
        process = subprocess.Popen(
            list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True
        )
        try:
            wait_until(lambda: process.poll() is not None or len(os.listdir(begun)) == jobs)
            assert process.poll() is None
            yield process
        finally:
            if members(process.pid):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def wait_until_gone(group: int) -> None:
    """Wait until no process of a group is alive."""
    wait_until(lambda: not members(group))


def members(group: int) -> list[int]:
    """Return the living processes of a group."""
    fields = {int(entry.name): _fields(int(entry.name)) for entry in Path("/proc").glob("[0-9]*")}
    return [pid for pid, values in fields.items() if values and int(values[2]) == group and values[0] != "Z"]


def _fields(pid: int) -> list[str]:
    """Return state, parent, group, ... of a process from /proc/PID/stat; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
