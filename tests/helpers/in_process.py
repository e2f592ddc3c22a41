"""The command line within the process of a test: faster than a process of its own, since PyTorch is loaded already."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from unittest.mock import patch

import pytest

from treesmu.cli import main
from treesmu.compilation import NOTICE


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    returncode: int
    stdout: str
    stderr: str


def treesmu(capsys: pytest.CaptureFixture[str], *arguments: object) -> Done:
    """Run ``treesmu ARGUMENTS`` and return its exit code and output."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    hook = sys.unraisablehook
    capsys.readouterr()
    try:
        with patch.object(sys, "argv", ["treesmu", *map(str, arguments)]), pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.unraisablehook = hook
        for number, handler in handlers.items():
            signal.signal(number, handler)
    output = capsys.readouterr()
    code = ended.value.code
    assert "treesmu: internal error" not in output.err, output.err  # no test means this by exit code 1
    # Whether models have to be compiled depends on what other tests have done before.
    return Done(code if isinstance(code, int) else 0, output.out, output.err.replace(f"{NOTICE}\n", ""))


def assert_refused(done: Done, *messages: str) -> None:
    """Assert that a command refused its input with one line on standard error that contains all messages."""
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("treesmu: ")
    for message in messages:
        assert message in done.stderr
