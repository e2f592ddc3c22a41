"""The command line ``treesmu``: each command turns its arguments into one function call, and the result into text or JSON.

Many modules because there is one per command.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in the package: typing would take time in which Ctrl-C shows a traceback
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 for success, 1 if something failed, 2 for wrong usage or input, 130 after Ctrl-C, 143 after SIGTERM.
    """
    try:  # around all imports, because Ctrl-C may be pressed during any of them
        _run_until_terminated()
    except KeyboardInterrupt:
        exec("")  # Python remembers a Ctrl-C within exec, and would end by SIGINT instead of the exit code
        _exit(130, "interrupted")


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
