"""Worker processes and their parents that are killed: jobs are repeated, no process stays behind, and a sweep ends the same."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from engine_jobs import wait_until
from faults.commands import Commands
from faults.small_commands import SWEEP, words
from faults.whole_files import require_same, require_whole, unfinished
from process_groups import members, wait_until_gone

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"),
    pytest.mark.xdist_group("faults"),
]


def workers(group: int) -> list[int]:
    """Return the worker processes of a command: those that multiprocessing has spawned."""
    return [pid for pid in members(group) if pid != group and b"spawn_main" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_sweep_survives_its_workers_and_its_parent(commands: Commands) -> None:
    parallel = [*words(SWEEP, "workers"), "--jobs", "2"]  # the last of two options counts
    with commands.started(parallel) as first:
        wait_until(lambda: bool(workers(first.pid)))
        first.kill()
        wait_until_gone(first.pid)  # the workers have ended by themselves
    require_whole(commands.folder / "workers")
    with commands.started(parallel) as second:
        wait_until(lambda: bool(workers(second.pid)))
        os.kill(workers(second.pid)[0], signal.SIGKILL)  # its job is run again by another one
        ended = second.wait()
        wait_until_gone(second.pid)
    assert ended.code == 0, ended.stderr
    assert unfinished(commands.folder) == []
    require_same(commands.folder / "workers", commands.whole(SWEEP)[1])
    shutil.rmtree(commands.folder / "workers")
