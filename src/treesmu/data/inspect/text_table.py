"""TextTable: a table of results, as aligned text for people and as records for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Cell = str | int | float


@dataclass(frozen=True)
class TextTable:
    """Rows under a header. A float is a fraction, and is printed as a percentage."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Cell, ...]]

    def text(self) -> str:
        """Return the table as text: the first column is aligned to the left, the others to the right."""
        cells = [list(self.header), *([_show(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if k else cell.ljust(width) for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        ]
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines)])

    def records(self) -> list[dict[str, Any]]:
        """Return one dict per row, with the header as keys."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def _show(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{100 * cell:.1f}%"
    return f"{cell:,}" if isinstance(cell, int) else cell
