"""Text for a person: messages on standard error and results on standard output, without control characters of others."""

from __future__ import annotations

import re
import sys

from treesmu.errors import printable, shorten

MOST = 2000  # characters of a message
_CARET = re.compile(r"\n  [^\n]*\n +\^$")  # how an equation that cannot be read is shown, at the end of a message


def say(message: str) -> None:
    """Print a message on standard error: one line, and an equation that cannot be read below it, with a caret."""
    caret = _CARET.search(message)
    equation = caret[0] if caret else ""
    said = shorten(printable(message.removesuffix(equation)), MOST) + printable(equation, keep="\n")
    print(f"treesmu: {said}", file=sys.stderr)


def print_text(text: str) -> None:
    """Print lines of a result on standard output. Names and labels in it may come from files of others."""
    print(printable(text, keep="\n\t"), flush=True)
