"""Commands in process groups: which processes are alive, and which workers have begun to work."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine_jobs import wait_until

PATIENCE = 600  # seconds; only guards against hanging
AT_WORK = 0.5  # seconds of processor time after which a worker is busy with its jobs, or about to be


@contextmanager
def started(command: list[str], folder: Path, stderr: IO[bytes] | int) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command in a process group of its own; kill what is left of the group in the end."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True)
    try:
        yield process
    finally:
        if members(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_until_at_work(process: subprocess.Popen[bytes], workers: int) -> None:
    """Wait until so many worker processes of a command have used some processor time."""
    wait_until(lambda: process.poll() is not None or len(list(_workers(process.pid))) >= workers)
    assert process.poll() is None


def wait_until_gone(group: int) -> None:
    """Wait until no process of a group is alive."""
    wait_until(lambda: not members(group))


def members(group: int) -> list[int]:
    """Return the living processes of a group."""
    fields = {int(entry.name): _fields(int(entry.name)) for entry in Path("/proc").glob("[0-9]*")}
    return [pid for pid, values in fields.items() if values and int(values[2]) == group and values[0] != "Z"]


def _workers(group: int) -> Iterator[int]:
    """Yield the spawned processes of a group that have worked for a while."""
    for pid in members(group):
        values = _fields(pid)
        try:
            is_spawned = b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if is_spawned and values and int(values[11]) >= AT_WORK * os.sysconf("SC_CLK_TCK"):
            yield pid


def _fields(pid: int) -> list[str]:
    """Return state, parent, group, ... of a process from /proc/PID/stat; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
