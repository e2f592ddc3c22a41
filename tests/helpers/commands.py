"""Commands in processes of their own: awaited, killed as soon as a file is there, or with Ray. None is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from engine_jobs import is_group_gone, wait_until

TIMEOUT = 900  # seconds; only against hanging: on an idle machine the commands take a few


def finish(process: subprocess.Popen[str]) -> None:
    """Wait until a command has finished, and check that it succeeded."""
    with process:
        try:
            _, errors = process.communicate(timeout=TIMEOUT)
        finally:
            process.kill()  # has no effect on a process that has ended
    assert process.returncode == 0, errors


def kill_as_soon_as(process: subprocess.Popen[str], out: Path, pattern: str, count: int) -> None:
    """Kill a command as soon as so many files match a pattern; on a busy machine it may have finished by then."""

    def is_time() -> bool:
        has_ended = process.poll() is not None  # first: what has ended has written all its files
        is_there = len(list(out.glob(pattern))) >= count
        assert is_there or not has_ended
        return is_there

    with process:
        try:
            wait_until(is_time)
        finally:
            process.kill()
            process.communicate()


def run_with_ray(command: list[str], folder: Path, settings: dict[str, str] | None = None) -> None:
    """Run ``python COMMAND`` in a folder, where it may start a Ray cluster. settings: environment variables."""
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as ray_folder:  # short: the length of socket names is limited
        ours = {"RAY_TMPDIR": ray_folder, "RAY_USAGE_STATS_ENABLED": "0", **(settings or {})}
        environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | ours
        script = subprocess.Popen(
            [sys.executable, *command], cwd=folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = script.communicate(timeout=TIMEOUT)
            assert script.returncode == 0, output[-4000:]
        finally:
            _end_group(script.pid)


def _end_group(group: int) -> None:
    """Kill whatever a command has started and left running."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
    wait_until(lambda: is_group_gone(group))
