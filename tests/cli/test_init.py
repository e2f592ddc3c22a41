"""The entry of the command line: it works whatever was done to the standard streams."""

from __future__ import annotations

import subprocess
import sys

import pytest

CLOSED = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-", "all": "<&- >&- 2>&-"}


def run_with_closed(stream: str, arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that closes a standard stream before the command begins."""
    shell = f"{sys.executable} -m treesmu {arguments} {CLOSED[stream]}"
    return subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize("stream", CLOSED)
def test_a_command_works_although_a_standard_stream_is_closed(stream: str) -> None:
    done = run_with_closed(stream, "verify --no-model 'x = x'")
    assert (done.returncode, done.stderr) == (0, "")
    assert ("correct" in done.stdout) is (stream not in ("stdout", "all"))


def test_messages_are_lost_with_standard_error_not_shown_elsewhere() -> None:
    done = run_with_closed("stderr", "verify --no-model 'x ='")
    assert (done.returncode, done.stdout) == (2, "")


def test_closed_standard_input_has_no_equations() -> None:
    done = run_with_closed("stdin", "verify --no-model --file -")
    assert done.returncode == 2
    assert done.stderr.startswith("treesmu: -: there is no equation in it")
