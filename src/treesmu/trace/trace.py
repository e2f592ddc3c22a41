"""Trace: what ``Model.trace`` returns, the nodes of an expression with their values, and the ways to show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from treesmu.errors import DataError
from treesmu.files import atomic_write

from .as_json import as_json, json_text
from .page import draw_page
from .svg import draw_svg
from .terminal import draw_text
from .tree import TracedTree

LARGEST_SHOWN = 300  # nodes that a notebook shows as a drawing


class Trace(TracedTree):
    """The states, memories and gates of all nodes of an expression.

    ``trace.nodes`` lists the nodes in preorder, ``trace.sides`` are the roots, ``trace.at(path)`` is one node. A notebook shows
    the drawing, and ``print(trace)`` shows the tree as text.
    """

    def svg(self) -> str:
        """Return a drawing of the tree as a complete SVG document, for light and dark backgrounds."""
        return draw_svg(self)

    def html(self) -> str:
        """Return a page with the drawing and a table of all nodes; it needs no other file."""
        return draw_page(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all values as plain lists and numbers for JSON, in the format that docs/how-to/trace.md describes."""
        return as_json(self)

    def text(self, width: int | None = None, ascii_only: bool = False, colour: bool = False) -> str:
        """Return the tree as lines of text. width: of the terminal; None for lines of any length."""
        return "\n".join(draw_text(self, width, ascii_only, colour))

    def save(self, path: str | Path) -> None:
        """Write the trace to a file, whose name ends with ``.svg``, ``.html`` or ``.json``."""
        path = Path(path)
        content = _WRITERS[checked_kind(path)](self)
        with atomic_write(path) as temporary:
            temporary.write_text(content, encoding="utf-8")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Trace of {self.expr!s:.60} by {self.model}, {len(self)} nodes>"

    def _repr_svg_(self) -> str | None:
        """Return the drawing for notebooks; None, which makes them show repr(), if the tree is too large."""
        return self.svg() if len(self) <= LARGEST_SHOWN else None


_WRITERS: dict[str, Callable[[TracedTree], str]] = {".svg": draw_svg, ".html": draw_page, ".json": json_text}


def checked_kind(path: Path) -> str:
    """Return the ending of a file name; raise a DataError if a trace cannot be written to such a file."""
    kind = path.suffix.lower()
    if kind not in _WRITERS:
        raise DataError(f"{path}: a trace is written to a file that ends with .svg, .html or .json")
    return kind
