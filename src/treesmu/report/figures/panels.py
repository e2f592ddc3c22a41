"""Draw the panels of a figure: lines with labels at their ends, dot plots with values, scatter plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .figure import Dot, Dots, Lines, Scatter, Series
from .palette import GREY, INK, darker, paler

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER = 0.072  # inches, width of a letter of small text
LINE = 0.145  # inches from one label to the next
ROW = 0.215  # inches, height of a row of a dot plot
SOFT = ("#88CCEE", "#DDCC77", "#AA4499", "#44AA99", "#999933", "#882255", "#332288", "#CC6677", "#117733", "#BBBBBB")  # Tol's


def width_of(label: str) -> float:
    """Return about how many inches a label takes."""
    return LETTER * max(len(line) for line in label.split("\n"))


# -- lines -------------------------------------------------------------------------------------------------------------


def draw_lines(axes: Axes, panel: Lines, height: float) -> None:
    """Draw a panel of lines. height: of the axes, in inches."""
    if panel.is_log:
        axes.set_xscale("log")
    _background(axes, panel)
    if panel.cloud:
        axes.plot(*zip(*panel.cloud, strict=True), "o", color=GREY, alpha=0.6, markersize=3.5, markeredgewidth=0)
    for series in panel.series:
        _line(axes, series)
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    _limits(axes, panel)
    _name_lines(axes, [series for series in panel.series if not series.is_paper], height)


def _background(axes: Axes, panel: Lines) -> None:
    axes.grid(axis="y", color="#E4E4E4", linewidth=0.6)
    axes.set_axisbelow(True)
    if panel.shaded:
        low, high, name = panel.shaded
        axes.axvspan(low, high, color="#F1F1EC", linewidth=0, zorder=0)
        axes.annotate(
            name, (low, 0), (3, 3), xycoords=("data", "axes fraction"), textcoords="offset points", color=GREY, fontsize=8
        )
    if panel.level is not None:
        axes.axhline(panel.level, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))


def _line(axes: Axes, series: Series) -> None:
    if series.is_paper:
        axes.plot(series.x, series.y, "o", color=series.colour, markerfacecolor="white", markeredgewidth=0.9, markersize=4)
        return
    if len(series.sd) and None not in series.sd:
        low = [y - sd for y, sd in zip(series.y, series.sd, strict=True) if sd is not None]
        high = [y + sd for y, sd in zip(series.y, series.sd, strict=True) if sd is not None]
        axes.fill_between(series.x, low, high, color=series.colour, alpha=0.16, linewidth=0)
    mark = "o" if len(series.x) <= 8 else None
    axes.plot(series.x, series.y, series.style, color=series.colour, marker=mark, solid_capstyle="round")


def _limits(axes: Axes, panel: Lines) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    if panel.y_range:
        axes.set_ylim(*panel.y_range)
    else:
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    every = sorted({x for series in panel.series for x in series.x} | {x for x, _ in panel.cloud})
    if panel.cloud and panel.ticks:
        every = sorted({*every, *panel.ticks})  # the whole range, wherever the points are
    if panel.ticks or len(every) == 1:
        axes.set_xticks(panel.ticks or every)
        axes.xaxis.set_minor_locator(NullLocator())
    elif not panel.is_log:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: short_number(x)))
    if not panel.is_log:
        room = 0.015 * (every[-1] - every[0]) or 1
        axes.set_xlim(every[0] - room, every[-1] + room)


def short_number(x: float) -> str:
    """Return a number as 30k or 1.07M, in three digits, since axes have little room."""
    for size, letter in ((1e6, "M"), (1e4, "k")):
        if x >= size:
            return f"{x / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{x:.10g}"


def _name_lines(axes: Axes, series: list[Series], height: float) -> None:
    """Write the labels at the right of the axes, each as close to the end of its line as the others allow."""
    low, high = axes.get_ylim()
    named = sorted((one for one in series if one.x), key=lambda one: one.y[-1])
    wanted = [(one.y[-1] - low) / (high - low) for one in named]
    sizes = [LINE * (one.label.count("\n") + 1) / height for one in named]
    leader = {"arrowstyle": "-", "linewidth": 0.6, "alpha": 0.7, "shrinkA": 0, "shrinkB": 2, "relpos": (0, 0.5)}
    for one, place in zip(named, spread_apart(wanted, sizes), strict=True):
        axes.annotate(
            one.label,
            (one.x[-1], min(max(one.y[-1], low), high)),
            (1.05, place),
            textcoords="axes fraction",
            va="center",
            fontsize=8.5,
            color=darker(one.colour),
            annotation_clip=False,
            arrowprops={"color": one.colour, **leader},
        )


def spread_apart(wanted: list[float], sizes: list[float]) -> list[float]:
    """Return positions from 0 to 1, in the same order, at which items of these sizes do not overlap, moved as little as can be.

    Neighbours that overlap are merged into one block around the mean of their wanted positions, until no blocks overlap.
    """
    blocks: list[tuple[list[int], float, float]] = []  # members, middle, size
    for k in range(len(wanted)):
        block = _block([k], wanted, sizes)
        while blocks and blocks[-1][1] + blocks[-1][2] / 2 > block[1] - block[2] / 2 + 1e-9:
            block = _block(blocks.pop()[0] + block[0], wanted, sizes)
        blocks.append(block)
    positions = [0.0] * len(wanted)
    for members, middle, size in blocks:
        at = middle - size / 2
        for m in members:
            positions[m] = at + sizes[m] / 2
            at += sizes[m]
    return positions


def _block(members: list[int], wanted: list[float], sizes: list[float]) -> tuple[list[int], float, float]:
    """Return a block of items, kept between 0 and 1 if it fits."""
    size = sum(sizes[m] for m in members)
    middle = sum(wanted[m] for m in members) / len(members)
    return members, max(min(middle, 1 - size / 2), size / 2), size


# -- dots --------------------------------------------------------------------------------------------------------------


def draw_dots(axes: Axes, panel: Dots) -> None:
    """Draw a dot plot from the top down; a heading is written at the left, above its dots."""
    places = range(len(panel.rows) - 1, -1, -1)
    axes.set_ylim(-0.6, len(panel.rows) - 0.4)
    if panel.x_range:
        axes.set_xlim(*panel.x_range)
    axes.grid(axis="x", color="#E4E4E4", linewidth=0.6)
    axes.set_axisbelow(True)
    if panel.level is not None:
        axes.axvline(panel.level, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    named = []
    for y, dot in zip(places, panel.rows, strict=True):
        if dot.value is None:
            place: dict[str, Any] = {"textcoords": "offset points", "xycoords": ("axes fraction", "data")}
            axes.annotate(dot.label, (0, y), (4, 0), va="center", fontsize=8.5, fontstyle="italic", color=INK, **place)
        else:
            named.append((y, dot.label))
            _dot(axes, y, dot, dot.value, panel.digits)
    axes.set_yticks([y for y, _ in named], [label for _, label in named], fontsize=8.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(panel.x_label)


def _dot(axes: Axes, y: float, dot: Dot, value: float, digits: int) -> None:
    """Draw a dot with its value on the side away from the paper's mark."""
    if dot.paper is not None:
        axes.plot(dot.paper, y, "o", color=dot.colour, markerfacecolor="white", markersize=6, zorder=3)
    axes.errorbar(value, y, xerr=dot.sd, fmt="o", color=dot.colour, markersize=6, elinewidth=1.4, zorder=4)
    side = -1 if dot.paper is not None and dot.paper > value else 1
    axes.annotate(
        f"{value:.{digits}f}",
        (value + side * (dot.sd or 0), y),
        (7 * side, 0),
        textcoords="offset points",
        ha="left" if side > 0 else "right",
        va="center_baseline",
        fontsize=8,
        color=darker(dot.colour),
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},  # so that lines behind do not cross the number
        zorder=2,
    )


# -- scatter plots -----------------------------------------------------------------------------------------------------


def draw_scatter(axes: Axes, panel: Scatter) -> None:
    """Draw each kind in a colour with its name in the middle; the marked kinds strong and in front, the others pale."""
    from matplotlib.patheffects import withStroke

    kinds = [kind for kind in dict.fromkeys(panel.kind) if kind not in panel.marked]
    strong = dict(zip(panel.marked, ("#0072B2", "#D55E00"), strict=False))
    dash = 1e-3 * (max(panel.x, default=0) - min(panel.x, default=0) or 1)
    colours = {kind: paler(SOFT[k % len(SOFT)], 0.3) for k, kind in enumerate(kinds)} | strong
    for kind, colour in colours.items():
        places = [(x, y) for x, y, k in zip(panel.x, panel.y, panel.kind, strict=True) if k == kind]
        if places:
            _draw_kind(axes, places, colour, 4.2 if kind in strong else 3.2, dash)
            size, weight = (12, "bold") if kind in strong else (8, "normal")
            axes.annotate(
                kind,
                _medoid(places),
                ha="center",
                va="center",
                fontsize=size,
                fontweight=weight,
                color=darker(colour, 0.55),
                path_effects=[withStroke(linewidth=2.5, foreground="white")],
                zorder=5,
            )
    axes.set(xticks=[], yticks=[])
    axes.margins(0.05)
    for side in axes.spines.values():
        side.set(visible=True, color="#DDDDDD")


def _draw_kind(axes: Axes, places: list[tuple[float, float]], colour: str, size: float, dash: float) -> None:
    """Draw points as one path of tiny strokes with round ends, for a small file. Strokes of length 0 would be lost in PNG."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    ends = [end for x, y in places for end in ((x, y), (x + dash, y))]
    path = Path(ends, [Path.MOVETO, Path.LINETO] * len(places))
    looks: dict[str, Any] = {"edgecolor": colour, "linewidth": size, "capstyle": "round"}
    patch = PathPatch(path, fill=False, snap=False, zorder=3, **looks)  # snapped to pixels, strokes would have length 0
    axes.add_patch(patch)
    axes.update_datalim(places)
    axes.autoscale_view()


def _medoid(places: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the medoid: if there are two clusters, it lies in one of them."""
    return min(places, key=lambda a: sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for b in places))
