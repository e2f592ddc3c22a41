"""Commands in processes of their own: waited for, killed at some moment, on Ray; nothing of them is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 900  # seconds; on an idle machine it takes a few


def finish(process: subprocess.Popen[str]) -> None:
    """Wait until it is done; nothing of it is left running, whatever happens."""
    with process:
        try:
            _, told = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()  # has no effect on one that has ended
    assert process.returncode == 0, told


def there(out: Path, pattern: str) -> int:
    return len(list(out.glob(pattern)))


def kill_as_soon_as(process: subprocess.Popen[str], out: Path, pattern: str, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    with process:
        try:
            while there(out, pattern) < count:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.005)
        finally:
            process.kill()
            process.communicate()


def on_ray(command: list[str], folder: Path) -> None:
    """python COMMAND in a folder, where Ray may begin a cluster of its own."""
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as there:  # short, for names of sockets are
        settings = {"RAY_TMPDIR": there, "RAY_USAGE_STATS_ENABLED": "0"}
        environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | settings
        script = subprocess.Popen(
            [sys.executable, *command], cwd=folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            told, _ = script.communicate(timeout=PATIENCE)
            assert script.returncode == 0, told[-4000:]
        finally:
            end_group(script.pid)


def end_group(group: int) -> None:
    """Whatever a script has started and left."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
