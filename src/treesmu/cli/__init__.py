"""The command line ``treesmu``: each command turns its arguments into one function call, and the result into text or JSON."""

from __future__ import annotations

import sys
from typing import NoReturn

from . import signals

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 for success, 1 if something failed, 2 for wrong usage or input, 130 after Ctrl-C, 143 after SIGTERM.
    """
    signals.install()
    try:
        from .app import run  # here, because its imports take a moment in which Ctrl-C may be pressed already

        run()
    except KeyboardInterrupt:
        exec("")  # Python remembers a Ctrl-C within exec, and would end by SIGINT instead of the exit code
        code, message = 130, "interrupted"
    except signals.Terminated:
        code, message = 143, "terminated"
    print(f"treesmu: {message}", file=sys.stderr)
    sys.exit(code)
