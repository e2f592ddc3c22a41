"""The command line within the process of a test: a second saved each time, since torch is loaded already."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from unittest.mock import patch

import pytest

from treesmu.cli import main


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def treesmu(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    """What ``treesmu ARGUMENTS`` does and says."""
    before = signal.getsignal(signal.SIGTERM)
    capsys.readouterr()
    with patch.object(sys, "argv", ["treesmu", *map(str, arguments)]), pytest.raises(SystemExit) as ended:
        main()
    signal.signal(signal.SIGTERM, before)
    said = capsys.readouterr()
    code = ended.value.code
    return Done(code if isinstance(code, int) else 0, said.out, said.err)


def assert_refused(done: Done, *said: str) -> None:
    """Bad input: one line that says so, and nothing else."""
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("treesmu: ")
    for part in said:
        assert part in done.stderr
