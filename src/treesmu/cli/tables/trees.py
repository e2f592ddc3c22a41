"""The measures of a model of trees, by depth, as a table."""

from __future__ import annotations

from typing import Any

from .verification import percent

CLASSES = {"accuracy": "accuracy", "root_accuracy": "accuracy of roots", "majority": "most common class"}  # in per cent
NUMBERS = {"log_loss": "log loss", "r2": "R²", "rmse": "RMSE", "mae": "MAE"}


def table(measures: dict[str, Any]) -> str:
    """Return one line per depth and one for all rows: counts, shares in per cent, and errors."""
    overall = measures["overall"]
    counts = [name for name in ("trees", "nodes") if name in overall]
    shares, numbers = ([name for name in names if name in overall] for names in (CLASSES, NUMBERS))
    heads = [*counts, *(CLASSES[name] for name in shares), *(NUMBERS[name] for name in numbers)]
    widths = [max(len(head) + 2, 10) for head in heads]
    lines = ["depth" + "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))]
    for name, row in [*measures["by_depth"].items(), ("all", overall)]:
        cells = [f"{row[key]:,}" for key in counts] + [percent(row[key]) for key in shares]
        cells += ["-" if row[key] is None else f"{row[key]:.3f}" for key in numbers]
        lines.append(f"{name:>5}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))
    return "\n".join(lines)
