"""Figures as data, so that their numbers can be read and tested; draw.py draws them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..numbers import Spread
from .palette import INK

Range = tuple[float, float]
LOWEST_R2 = -1.0  # of an axis


@dataclass(frozen=True)
class Series:
    """A line with its label at its end, and a band if there are standard deviations. is_paper: open marks, no line."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    sd: tuple[float | None, ...] = ()
    colour: str = INK
    style: str = "-"
    is_paper: bool = False

    @classmethod
    def over(cls, label: str, points: dict[float, Spread | None], scale: float = 100, **looks: Any) -> Series:
        """Return the line through a measure over seeds at each x; an x without the measure is omitted."""
        known = {x: point for x, point in points.items() if point is not None}
        return cls(
            label,
            tuple(known),
            tuple(scale * point.mean for point in known.values()),
            tuple(None if point.sd is None else scale * point.sd for point in known.values()),
            **looks,
        )


@dataclass(frozen=True)
class Lines:
    """A panel of lines.

    shaded: a range of x and its label, such as the depths of training; level: a y that is marked; cloud: single points that the
    lines summarise, such as trials.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    y_range: Range | None = None
    shaded: tuple[float, float, str] | None = None
    level: float | None = None
    is_log: bool = False
    ticks: tuple[float, ...] = ()
    cloud: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Dot:
    """A row of a dot plot. value: None for a heading."""

    label: str
    value: float | None = None
    sd: float | None = None
    colour: str = INK
    paper: float | None = None


@dataclass(frozen=True)
class Dots:
    """A dot plot. level: an x that is marked."""

    title: str
    x_label: str
    rows: tuple[Dot, ...]
    x_range: Range | None = None
    digits: int = 1
    level: float | None = None


@dataclass(frozen=True)
class Scatter:
    """A scatter plot of points, coloured by kind. marked: kinds that stand out."""

    title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: tuple[str, ...]
    marked: tuple[str, ...] = ()


Panel = Lines | Dots | Scatter


@dataclass(frozen=True)
class Figure:
    """A figure. name: of its files; title: its conclusion; note: how to read it; most_columns: of panels, on a wide page."""

    name: str
    title: str
    note: str
    panels: tuple[Panel, ...]
    most_columns: int = 2

    @property
    def columns(self) -> int:
        """The number of panels side by side on a wide page."""
        return min(self.most_columns, len(self.panels))


def drawable(figure: Figure) -> Figure | None:
    """Return the figure without empty lines and panels, or None if nothing is left."""
    panels = [
        replace(panel, series=tuple(series for series in panel.series if series.x)) if isinstance(panel, Lines) else panel
        for panel in figure.panels
    ]
    panels = [panel for panel in panels if _rows(panel)]
    return replace(figure, panels=tuple(panels)) if panels else None


def rounded_range(series: Iterable[Series]) -> Range:
    """Return a range of per cent around all lines, rounded to fives, so that panels can be compared."""
    values = [y for one in series for y in one.y]
    low, high = min(values, default=0), max(values, default=100)
    return max(0, 5 * math.floor((low - 2) / 5)), min(100, 5 * math.ceil((high + 2) / 5))


def r2_range(series: Iterable[Series]) -> Range:
    """Return a range of R² around all lines, in tenths, but not below −1: worse is not worth the room."""
    values = [y for one in series for y in one.y]
    low, high = min(values, default=0), max(values, default=1)
    return max(LOWEST_R2, math.floor(10 * low - 0.2) / 10), min(1.0, max(0, math.ceil(10 * high + 0.2)) / 10)


def numbers(figure: Figure) -> str:
    """Return everything that is drawn, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["panel", "name", "x", "y", "sd"])
    for panel in figure.panels:
        writer.writerows([panel.title, *(_text(value) for value in row)] for row in _rows(panel))
    return out.getvalue()


def _rows(panel: Panel) -> list[tuple[Any, ...]]:
    if isinstance(panel, Lines):
        lines = [
            (series.label + (" (paper)" if series.is_paper else ""), x, y, sd)
            for series in panel.series
            for x, y, sd in zip(series.x, series.y, series.sd or (None,) * len(series.x), strict=True)
        ]
        return lines + [("each", x, y, None) for x, y in panel.cloud]
    if isinstance(panel, Scatter):
        return [(kind, x, y, None) for kind, x, y in zip(panel.kind, panel.x, panel.y, strict=True)]
    rows, heading = [], ""
    for dot in panel.rows:
        if dot.value is None:
            heading = f"{dot.label}: "
            continue
        rows.append((heading + dot.label, dot.value, None, dot.sd))
        rows += [(f"{heading}{dot.label} (paper)", dot.paper, None, None)] if dot.paper is not None else []
    return rows


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
