"""What the commands share: the error for bad input, and how ranges of depths are written."""

from __future__ import annotations

import re
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


class InputError(Exception):
    """Something a person gave us is wrong; the message names what, where and the remedy."""


def depth_range(text: str | None) -> tuple[int, int] | None:
    """A-B as two numbers."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", text)
    if not found or int(found.group(1)) > int(found.group(2) or found.group(1)):
        raise InputError(f"depths {text!r}: expected A-B with A <= B, such as 1-7")
    return int(found.group(1)), int(found.group(2) or found.group(1))
