"""The learning curve of a run, drawn as text: one column per epoch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor
from statistics import fmean

from treesmu.trace.glyphs import ASCII, BLOCKS

ROWS = 6
MOST_COLUMNS = 60
WIDEST = 4  # columns of one epoch
STEP = 5  # percent: the ends of the axis are multiples


def draw_curve(accuracies: Sequence[float], base_rate: float | None = None, ascii_only: bool = False) -> list[str]:
    """Return the lines of a curve of accuracies, from 0 to 1, one for each epoch; none for fewer than two epochs.

    base_rate: the accuracy of a constant prediction, which is marked. Epochs share a column if there are many.
    """
    if len(accuracies) < 2:
        return []
    glyphs, line = (ASCII, "-") if ascii_only else (BLOCKS, "┄")
    columns = _columns(accuracies)
    ends = [100 * value for value in (*columns, *([] if base_rate is None else [base_rate]))]
    low, high = STEP * floor(min(ends) / STEP), STEP * ceil(max(ends) / STEP)
    high = max(high, low + STEP)
    heights = [ROWS * (100 * value - low) / (high - low) for value in columns]
    marked = None if base_rate is None else min(ROWS - 1, int(ROWS * (100 * base_rate - low) / (high - low)))
    lines = ["validation accuracy by epoch"]
    for row in reversed(range(ROWS)):
        label = f"{high}%" if row == ROWS - 1 else f"{low}%" if row == 0 else ""
        empty = line if row == marked else " "
        cells = "".join(empty if height <= row else glyphs.level(height - row) for height in heights)
        end = f" {line} {base_rate:.1%}: base rate" if row == marked else ""
        lines.append(f"{label:>5} {glyphs.bar}{cells}{end}".rstrip())
    last = f"{len(accuracies)}"
    lines.append(f"{'epoch':>5}  1{last:>{max(len(columns) - 1, len(last) + 1)}}")
    return lines


def _columns(accuracies: Sequence[float]) -> list[float]:
    """Return the value of each column: an epoch has up to four columns, or many epochs share one and their mean is drawn."""
    count = len(accuracies)
    if count <= MOST_COLUMNS:
        width = min(WIDEST, MOST_COLUMNS // count)
        return [value for value in accuracies for _ in range(width)]
    places = [round(i * count / MOST_COLUMNS) for i in range(MOST_COLUMNS + 1)]
    return [fmean(accuracies[start:end]) for start, end in pairwise(places)]
