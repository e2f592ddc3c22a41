"""A figure of a report as data: what is drawn is said here, how in draw.py. So its numbers can be read and checked."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import Any

from ..numbers import Spread
from .palette import INK

Range = tuple[float, float]


@dataclass(frozen=True)
class Series:
    """A line with its name at its end; with a band where there are standard deviations. is_paper: open marks, no line."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    sd: tuple[float | None, ...] = ()
    colour: str = INK
    style: str = "-"
    is_paper: bool = False

    @classmethod
    def over(cls, label: str, points: dict[float, Spread | None], scale: float = 100, **looks: Any) -> Series:
        """From a measure over seeds at each x; x without the measure are left out."""
        there = {x: point for x, point in points.items() if point is not None}
        return cls(
            label,
            tuple(there),
            tuple(scale * point.mean for point in there.values()),
            tuple(None if point.sd is None else scale * point.sd for point in there.values()),
            **looks,
        )


@dataclass(frozen=True)
class Lines:
    """shaded: a range of x and what it is, such as the depths of training; level: a y that matters.

    cloud: places of single things that the lines sum up, such as trials.
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
    """A line of a dot plot. value None: a heading."""

    label: str
    value: float | None = None
    sd: float | None = None
    colour: str = INK
    paper: float | None = None


@dataclass(frozen=True)
class Dots:
    """level: an x that matters."""

    title: str
    x_label: str
    rows: tuple[Dot, ...]
    x_range: Range | None = None
    digits: int = 1
    level: float | None = None


@dataclass(frozen=True)
class Scatter:
    """A map of points, coloured by their kind; the marked kinds carry their name."""

    title: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: tuple[str, ...]
    marked: tuple[str, ...] = ()


Panel = Lines | Dots | Scatter


@dataclass(frozen=True)
class Figure:
    """name: of its files; title: what is to be seen; note: how to read it. most_columns: of panels, on a wide page."""

    name: str
    title: str
    note: str
    panels: tuple[Panel, ...]
    most_columns: int = 2

    @property
    def columns(self) -> int:
        return min(self.most_columns, len(self.panels))


def drawable(figure: Figure) -> Figure | None:
    """Without lines and panels that have nothing to show; none where nothing is left: an empty figure says less than words."""
    panels = [
        replace(panel, series=tuple(series for series in panel.series if series.x)) if isinstance(panel, Lines) else panel
        for panel in figure.panels
    ]
    left = tuple(panel for panel in panels if _rows(panel))
    return replace(figure, panels=left) if left else None


def numbers(figure: Figure) -> str:
    """All that is drawn, as CSV."""
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
    found, heading = [], ""
    for dot in panel.rows:
        if dot.value is None:
            heading = f"{dot.label}: "
            continue
        found.append((heading + dot.label, dot.value, None, dot.sd))
        found += [(f"{heading}{dot.label} (paper)", dot.paper, None, None)] if dot.paper is not None else []
    return found


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.10g}" if isinstance(value, float) else str(value)
