"""The command line ``treesmu``: each command turns its arguments into one function call, and the result into text or JSON.

Many modules because there is one per command.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in the package: typing would take time in which Ctrl-C shows a traceback
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 for success, 1 if something failed, 2 for wrong usage or input, 130 after Ctrl-C, 143 after SIGTERM.
    """
    _open_closed_streams()
    try:  # around all imports, because Ctrl-C may be pressed during any of them
        _run_until_terminated()
    except KeyboardInterrupt:
        exec("")  # Python remembers a Ctrl-C within exec, and would end by SIGINT instead of the exit code
        _exit(130, "interrupted")
    except (ImportError, MemoryError) as error:  # before app.run, which explains all others
        from treesmu.errors import NO_MEMORY, one_line

        cannot_start = f"cannot be started: {one_line(error)}; install it again"
        _exit(1, NO_MEMORY if isinstance(error, MemoryError) else cannot_start)


def _open_closed_streams() -> None:
    """Replace the standard streams that were closed before Python began (``>&-``), which are None, by empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as the process


def _run_until_terminated() -> NoReturn:
    from . import signals

    signals.install()
    try:
        from .app import run

        signals.raise_waiting()
        run()
    except signals.Terminated:
        _exit(143, "terminated")


def _exit(code: int, message: str) -> NoReturn:
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):  # everything is cleaned up: a further one ends the process at once
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    print(f"treesmu: {message}", file=sys.stderr)
    sys.exit(code)
