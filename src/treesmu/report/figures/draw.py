"""Draw figures with matplotlib; the same data give the same bytes. Sizes are in inches, so that all text has one size."""

from __future__ import annotations

import html
import io
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .figure import Dots, Figure, Lines, Panel
from .palette import GREY, INK
from .panels import ROW, draw_dots, draw_lines, draw_scatter, width_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WIDTH, NARROW = 4.7, 3.7  # of a panel, in figures of two and of three columns: legible on a phone and in print
FEW_UNITS = 3.0  # of an axis of y, whose ticks then have decimals
HEAD = 0.3  # room for a panel's title
KINDS = ("svg", "pdf", "png")
_WITHOUT_DATES: dict[str, Any] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}
LOOKS: Any = {  # rcParams of matplotlib
    "font.size": 9.0,
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.0,
    "svg.fonttype": "none",  # text stays text: smaller files, searchable, readable by screen readers
    "svg.hashsalt": "treesmu",
    "pdf.fonttype": 42,  # TrueType fonts, as publishers require
    "path.simplify": False,  # scatter plots are drawn as tiny strokes
}


def draw(figure: Figure) -> dict[str, bytes]:
    """Return the whole figure with its title as SVG, PDF and PNG, by kind."""
    with _canvas(list(figure.panels), figure.columns, _width(figure), figure.title) as canvas:
        return {kind: _bytes(canvas, kind) for kind in KINDS}


def inline(figure: Figure) -> list[str]:
    """Return each panel as an SVG element; the page arranges the panels and sets the title."""
    found = []
    for number, panel in enumerate(figure.panels):
        with _canvas([panel], 1, _width(figure)) as canvas:
            for patch in (canvas.patch, *(axes.patch for axes in canvas.axes)):
                patch.set_visible(False)  # the page's background shows through, light or dark
            found.append(_element(_bytes(canvas, "svg").decode(), f"{figure.name}-{number}", panel.title))
    return found


def _width(figure: Figure) -> float:
    return WIDTH if figure.columns < 3 else NARROW


@contextmanager
def _canvas(panels: list[Panel], columns: int, wide: float, title: str = "") -> Iterator[Canvas]:
    """Yield a drawing of the panels in rows, with the titles of a row aligned. wide: the width of a panel."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    rows = [panels[k : k + columns] for k in range(0, len(panels), columns)]
    heights = [max(_height(panel, wide) for panel in row) for row in rows]
    lines = textwrap.wrap(title, round(columns * wide / 0.09), break_on_hyphens=False)
    above = 0.22 * len(lines) + 0.12 if lines else 0.0
    width, height = columns * wide, above + sum(heights)
    with rc_context(LOOKS):
        canvas = Canvas((width, height))
        place = (0.1 / width, 1 - 0.1 / height)
        canvas.text(*place, "\n".join(lines), va="top", fontsize=11, fontweight="bold", color=INK)
        for row, high in zip(rows, heights, strict=True):
            for column, panel in enumerate(row):
                _draw_panel(canvas, panel, column * wide, height - above, wide)
            above += high
        yield canvas


def _height(panel: Panel, wide: float) -> float:
    if isinstance(panel, Dots):
        return HEAD + 0.62 + ROW * len(panel.rows)
    return 0.7 * wide if isinstance(panel, Lines) else wide


def _draw_panel(canvas: Canvas, panel: Panel, left: float, top: float, wide: float) -> None:
    """Draw a panel into the box with this upper left corner."""
    width, height = canvas.get_size_inches()
    inner_left, inner_bottom, inner_right = _margins(panel)
    bottom = top - _height(panel, wide)
    box = (left + inner_left, bottom + inner_bottom, wide - inner_left - inner_right, top - HEAD - bottom - inner_bottom)
    axes = canvas.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))
    if isinstance(panel, Lines):
        draw_lines(axes, panel, box[3])
    elif isinstance(panel, Dots):
        draw_dots(axes, panel)
    else:
        draw_scatter(axes, panel)
    canvas.text((left + 0.1) / width, (top - 0.06) / height, panel.title, va="top", fontsize=9.5, color=INK)


def _margins(panel: Panel) -> tuple[float, float, float]:
    """Return the room for text at the left, the bottom and the right."""
    if isinstance(panel, Lines):
        has_decimals = panel.y_range is not None and panel.y_range[1] - panel.y_range[0] <= FEW_UNITS  # at the ticks
        return (
            0.72 if has_decimals else 0.58,
            0.5,
            0.22 + max(width_of(series.label) for series in panel.series if not series.is_paper),
        )
    if isinstance(panel, Dots):
        return 0.25 + max(width_of(dot.label) for dot in panel.rows if dot.value is not None), 0.5, 0.25
    return 0.1, 0.1, 0.1


# -- files -------------------------------------------------------------------------------------------------------------


def _bytes(canvas: Canvas, kind: str) -> bytes:
    out = io.BytesIO()
    canvas.savefig(out, format=kind, dpi=160, metadata=_WITHOUT_DATES[kind])
    return out.getvalue()


def _element(svg: str, name: str, title: str) -> str:
    """Return the SVG as an element: without metadata, and with unique ids, since a page has many figures."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*|<!--.*?-->\s*|<style.*?</style>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|url\(#|href="#)', lambda found: f"{found[1]}{name}-", svg)
    svg = re.sub(r' (?:width|height)="[^"]*"', "", svg, count=2)  # of the whole drawing, which come first: the page sets them
    svg = re.sub(r"<[^>]+>", _shortened, svg)
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(title)}"', 1)


def _shortened(tag: re.Match[str]) -> str:
    """Round coordinates to hundredths of a point; text between tags is unchanged."""
    return re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0])
