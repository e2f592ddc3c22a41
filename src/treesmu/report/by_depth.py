"""Something by depth: a line for each entry, a panel for each corpus and recipe."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from .figure import Figure, Lines, Series
from .folder import Entry, Folder
from .numbers import Spread
from .palette import model_colour, model_name, model_style
from .section import conditions, test_depths
from .words import bands_note, condition_name

FEW = 100  # equations; fewer make a line jump
Looks = Callable[[Entry], dict[str, Any]]


def model_looks(entry: Entry) -> dict[str, Any]:
    """The line of a model, the same in all figures."""
    return {"label": model_name(entry.model), "colour": model_colour(entry.model), "style": model_style(entry.model)}


def accuracy_by_depth(
    folder: Folder, entries: Iterable[Entry], name: str, title: str, trained: tuple[int, int], looks: Looks = model_looks
) -> Figure:
    """trained: depths of training, shaded. looks: label, colour and style of an entry's line."""
    entries = list(entries)
    depths = test_depths(entries)
    lines = {
        condition: tuple(_series(entry, depths, looks) for entry in some)
        for condition, some in conditions(folder, entries).items()
    }
    panels = [
        Lines(
            title=condition_name(condition),
            x_label="depth of the equation",
            y_label="accuracy (%)",
            series=some,
            y_range=rounded_range(series for group in lines.values() for series in group),
            shaded=(*trained, "trained"),
            ticks=tuple(depth for depth in depths if depth % 2),
        )
        for condition, some in lines.items()
    ]
    return Figure(name, title, bands_note(entries) + _few_note(entries[0], depths), tuple(panels))


def _series(entry: Entry, depths: list[int], looks: Looks) -> Series:
    points: dict[float, Spread | None] = {depth: entry.accuracy(depth, depth) for depth in depths}
    return Series.over(points=points, **looks(entry))


def rounded_range(series: Iterable[Series]) -> tuple[float, float]:
    """Of shares in per cent: full fives around all lines, so that panels can be compared."""
    values = [y for one in series for y in one.y]
    low, high = min(values, default=0), max(values, default=100)
    return max(0, 5 * math.floor((low - 2) / 5)), min(100, 5 * math.ceil((high + 2) / 5))


def _few_note(entry: Entry, depths: list[int]) -> str:
    """Depths at which a line says little."""
    by_depth = entry.runs[0].test["by_depth"]
    few = [(d, by_depth[str(d)]["equations"]) for d in depths if str(d) in by_depth and by_depth[str(d)]["equations"] < FEW]
    return f" Only {', '.join(f'{n} equations at depth {d}' for d, n in few)}." if 0 < len(few) < len(depths) else ""
