"""Show the rows of a Dataset as readable mathematics."""

from __future__ import annotations

from typing import Any

from ..corpus.dataset import Dataset

_WORDS = {1: "correct", 0: "incorrect", -1: "not known"}


def text(data: Dataset) -> str:
    """Return one line per row: label, depth, kind if it is known, and the equation."""
    kinds = max((len(kind) for kind in data.kind.tolist()), default=0)
    rows = zip(data.label.tolist(), data.depth.tolist(), data.kind.tolist(), data.texts(), strict=True)
    return "\n".join(
        f"{_WORDS[label]:9}  {depth:>2}  {kind:{kinds}}{'  ' * (kinds > 0)}{text}" for label, depth, kind, text in rows
    )


def records(data: Dataset) -> list[dict[str, Any]]:
    """Return the rows for programs, with all columns and with LaTeX."""
    names = ("split", "row", "label", "depth", "size", "chain", "kind")
    columns = [getattr(data, name).tolist() for name in names]
    rows = zip(data.iter_expressions(), *columns, strict=True)
    return [
        {**dict(zip(names, values, strict=True)), "infix": str(e), "latex": e.latex(), "prefix": " ".join(e.prefix())}
        for e, *values in rows
    ]
