"""``treesmu`` ends in one line and with the exit code of a shell, whenever a signal arrives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PATIENCE = 300  # seconds; only guards against hanging
# A program that takes the arguments of treesmu and receives a signal when a module is about to be imported.
SIGNAL_AT_IMPORT = """if True:
    import os, signal, sys
    {before}
    class Sender:
        sent = False
        def find_spec(self, name, path, target=None):
            if name == {module!r} and not Sender.sent:
                Sender.sent = True
                exec("os.kill(os.getpid(), signal.{name})")  # of a string, as dataclasses do: Python remembers Ctrl-C there
    import treesmu
    sys.meta_path.insert(0, Sender())
    from treesmu.cli import main
    try:
        main()
    finally:
        print("sent" if Sender.sent else "not sent", "torch" in sys.modules)
"""
ENDS = {"SIGINT": (130, "treesmu: interrupted\n"), "SIGTERM": (143, "treesmu: terminated\n")}


def run(module: str, name: str, *arguments: str, before: str = "") -> tuple[int, str, str]:
    """Run ``treesmu ARGUMENTS`` with a signal at the import of a module; return its exit code and its output."""
    program = SIGNAL_AT_IMPORT.format(module=module, name=name, before=before)
    with TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(program, encoding="utf-8")
        command = [sys.executable, "-m", "program", *arguments]  # python -m treesmu handles exit codes in the same way
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("module", ["treesmu.cli.app", "typer", "treesmu.cli.terminal.options"])
def test_a_signal_while_the_command_line_is_imported_ends_it_in_one_line(module: str, name: str) -> None:
    code, error = ENDS[name]
    assert run(module, name, "--version") == (code, "sent False\n", error)


def test_ctrl_c_before_the_handler_is_installed_ends_it_in_one_line() -> None:
    code, error = ENDS["SIGINT"]
    assert run("treesmu.cli.signals", "SIGINT", "--version") == (code, "sent False\n", error)


@pytest.mark.parametrize("name", ENDS)
def test_a_signal_in_a_command_ends_it_in_one_line(name: str) -> None:
    code, error = ENDS[name]
    assert run("treesmu.models.store", name, "verify", "x = x") == (code, "sent True\n", error)


def test_a_signal_while_torch_is_imported_waits_until_that_is_done() -> None:
    code, error = ENDS["SIGINT"]
    assert run("torch._C", "SIGINT", "verify", "x = x") == (code, "sent True\n", error)


def test_ctrl_c_stays_ignored_in_a_background_job() -> None:
    code, out, error = run(
        "typer", "SIGINT", "verify", "--no-model", "x = x", before="signal.signal(signal.SIGINT, signal.SIG_IGN)"
    )
    assert (code, error) == (0, "")
    assert out.splitlines()[-1] == "sent False"
