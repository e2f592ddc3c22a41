"""``treesmu generate`` that is interrupted, terminated or killed leaves no corpus and no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from engine_jobs import wait_until
from process_groups import PATIENCE, started, wait_until_at_work, wait_until_gone

LONG = "--train-size 500000 --depths 3-13 --jobs".split()  # minutes of work
TINY = "--train-size 60 --validation-size 12 --per-depth 6 --depths 2-4 --test-depths 3-5 --jobs 1".split()

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "treesmu", "generate", *map(str, arguments)]


@contextmanager
def generating(out: Path, jobs: int) -> Iterator[subprocess.Popen[bytes]]:
    """A long run in the middle of its work; it must not print a traceback."""
    with TemporaryFile() as errors, started(command(out, *LONG, jobs), out.parent, errors) as process:
        wait_until(lambda: process.poll() is not None or bool(list(out.parent.glob(".*partial*"))))
        wait_until_at_work(process, jobs if jobs > 1 else 0)
        yield process
        errors.seek(0)
        assert b"Traceback" not in errors.read()


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_nothing_and_no_traceback(tmp_path: Path, jobs: int) -> None:
    with generating(tmp_path / "out", jobs) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the command
        assert process.wait(PATIENCE) in (1, 130)
        assert list(tmp_path.iterdir()) == []
        wait_until_gone(process.pid)


@pytest.mark.parametrize("jobs", [1, 2])
def test_terminated_leaves_nothing(tmp_path: Path, jobs: int) -> None:
    with generating(tmp_path / "out", jobs) as process:
        process.terminate()
        assert process.wait(PATIENCE) == 143
        assert list(tmp_path.iterdir()) == []
        wait_until_gone(process.pid)


def test_killed_leaves_no_corpus_and_the_command_can_be_repeated(tmp_path: Path) -> None:
    with generating(tmp_path / "out", 1) as process:
        process.kill()
        process.wait(PATIENCE)
        assert not (tmp_path / "out").exists()
    again = command(tmp_path / "out", *TINY)
    assert subprocess.run(again, capture_output=True, timeout=PATIENCE, check=False).returncode == 0


def test_killed_leaves_no_workers(tmp_path: Path) -> None:
    with generating(tmp_path / "out", 2) as process:
        process.kill()
        process.wait(PATIENCE)
        wait_until_gone(process.pid)
