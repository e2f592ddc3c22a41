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

from process_groups import PATIENCE, at_work, wait_until_gone

TINY = "--train-size 60 --validation-size 12 --per-depth 6 --depths 2-4 --test-depths 3-5".split()

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


@contextmanager
def generating(out: Path, jobs: int) -> Iterator[subprocess.Popen[bytes]]:
    """A run in the middle of its work, with a folder for the corpus; it must not print a traceback."""
    with TemporaryFile() as errors, at_work(["generate", out, *TINY], jobs, out.parent, errors) as process:
        assert len(list(out.parent.glob(".*partial*"))) == 1
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
    again = [sys.executable, "-m", "treesmu", "generate", tmp_path / "out", *TINY, "--jobs", "1"]
    assert subprocess.run(again, capture_output=True, timeout=PATIENCE, check=False).returncode == 0


def test_killed_leaves_no_workers(tmp_path: Path) -> None:
    with generating(tmp_path / "out", 2) as process:
        process.kill()
        process.wait(PATIENCE)
        wait_until_gone(process.pid)
