"""Ctrl-C ends a command in one line from its first moment on: while modules are imported, and while it ends."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

PATIENCE = 900  # seconds; only guards against hanging
# A program that takes the arguments of treesmu; Ctrl-C is pressed when the n-th module is about to be imported.
AT_AN_IMPORT = """if True:
    import os, signal, sys
    moment, sys.argv[1:] = int(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    class Presser:
        count = 0
        def find_spec(self, name, path, target=None):
            Presser.count += name == "treesmu.cli" or Presser.count > 0  # the first import of our code; Python's are not ours
            if Presser.count == moment:
                os.kill(os.getpid(), signal.SIGINT)
    import runpy
    sys.meta_path.insert(0, Presser())
    try:
        runpy.run_module("treesmu", run_name="__main__", alter_sys=True)
    finally:
        sys.meta_path.pop(0)
        if moment < 0:
            print(Presser.count, file=sys.stderr)
"""
COMMANDS = {
    "checks an equation": (["verify", "--no-model", "x = x"], 8),
    "asks a model": (["verify", "x = x"], 3),  # PyTorch takes its time
}


def press(moment: int, arguments: list[str]) -> tuple[int, str, str]:
    """Run ``treesmu ARGUMENTS``, with Ctrl-C at an import; return its exit code and its output."""
    command = [sys.executable, "-c", AT_AN_IMPORT, str(moment), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("what", COMMANDS)
def test_ctrl_c_at_any_import_ends_a_command_in_one_line(what: str) -> None:
    arguments, times = COMMANDS[what]
    code, whole, count = press(-1, arguments)
    assert code == 0
    last = int(count.splitlines()[-1])
    moments = {1, 2, *(random.Random(what).randint(3, last) for _ in range(times - 2))}
    for moment in sorted(moments):
        code, output, errors = press(moment, arguments)
        # The last imports may be so late that the output has begun, or that the command has ended before Ctrl-C is looked at.
        assert (code, errors) in ((130, "treesmu: interrupted\n"), (0, "")), moment
        assert whole.startswith(output) if code else output == whole, moment
