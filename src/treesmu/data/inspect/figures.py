"""Draw figures of a Dataset as SVG and PNG: rows by depth, size by depth, functions by label. Titles state the conclusion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treesmu.errors import DataError
from treesmu.expr import FUNCTIONS
from treesmu.files import atomic_write

from ..corpus.dataset import Dataset
from .stats import TokenCounts, count_tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CORRECT, INCORRECT, GREY = "#0072B2", "#D55E00", "#777777"  # of Okabe and Ito: distinguishable with colour blindness
_FEW = 100  # with fewer equations, a fraction is not reliable
_REVEALING = 0.1  # a function whose fraction of correct equations is this far from that of all equations reveals the label


def draw(data: Dataset, folder: Path) -> list[Path]:
    """Write the figures into a folder and return the files."""
    from matplotlib import rc_context

    data = data.select(labels=(0, 1))
    if not len(data):
        raise DataError(f"{data.source}: no labelled equations to draw; take other filters")
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror}") from error
    with rc_context({"svg.hashsalt": "treesmu", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        for name, figure in _figures(data):
            for suffix in ("svg", "png"):
                path = folder / f"{name}.{suffix}"
                with atomic_write(path) as temporary:  # without a date, so that the same data give the same file
                    figure.savefig(temporary, format=suffix, dpi=150, metadata={"Date": None} if suffix == "svg" else None)
                written.append(path)
    return written


def _figures(data: Dataset) -> Iterator[tuple[str, Figure]]:
    from matplotlib.figure import Figure

    for name, width, height in (("depth", 7.0, 3.6), ("size", 7.0, 3.6), ("functions", 7.0, 7.0)):
        figure = Figure((width, height), layout="constrained")
        axes = figure.add_subplot()
        if name == "depth":
            _draw_depth(axes, data)
        elif name == "size":
            _draw_size(axes, data)
        else:
            _draw_functions(axes, count_tokens(data))
        axes.title.set(ha="left", x=0, fontsize=11)
        yield name, figure


def _draw_depth(axes: Axes, data: Dataset) -> None:
    depths = np.unique(data.depth)
    correct, incorrect = (np.array([((data.depth == d) & (data.label == k)).sum() for d in depths]) for k in (1, 0))
    axes.bar(depths - 0.2, correct, 0.4, color=CORRECT)
    axes.bar(depths + 0.2, incorrect, 0.4, color=INCORRECT)
    _name_labels(axes, "correct", "incorrect")
    axes.margins(y=0.25)  # room for the names
    share = correct / (correct + incorrect)
    off = np.where(correct + incorrect >= min(_FEW, max(correct + incorrect)), np.abs(share - 0.5), 0)
    worst = int(np.argmax(off))
    if off[worst] <= 0.015:
        axes.set_title("Both labels are equally frequent at every depth")
    else:
        axes.set_title(f"The labels are out of balance: at depth {depths[worst]}, {share[worst]:.0%} are correct")
    axes.set(xlabel="depth", ylabel="equations", xticks=depths)


def _draw_size(axes: Axes, data: Dataset) -> None:
    depths = np.unique(data.depth)
    medians = np.full((2, len(depths)), np.nan)
    for label, colour, style in ((0, INCORRECT, "--"), (1, CORRECT, "-")):
        sizes = [data.size[(data.depth == d) & (data.label == label)] for d in depths]
        present = [k for k, s in enumerate(sizes) if len(s)]
        low, middle, high = np.array([np.quantile(sizes[k], (0.1, 0.5, 0.9)) for k in present]).reshape(-1, 3).T
        axes.fill_between(depths[present], low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(depths[present], middle, style, color=colour)
        enough = [k for k in present if len(sizes[k]) >= _FEW]
        medians[label, enough] = [np.median(sizes[k]) for k in enough]
    _name_labels(axes, "correct: median and middle 80%", "incorrect (dashed)")
    apart = np.abs(medians[1] / medians[0] - 1)
    seen = apart[~np.isnan(apart)]
    comparison = (
        f"the medians of the two labels are within {seen.max():.0%} of each other"
        if len(seen)
        else "too few rows to compare labels"
    )
    axes.set_title(f"Size by depth: {comparison}")
    axes.set(xlabel="depth", ylabel="nodes", xticks=depths, ylim=(0, None))


def _name_labels(axes: Axes, correct: str, incorrect: str) -> None:
    axes.text(0.02, 0.93, correct, color=CORRECT, transform=axes.transAxes)
    axes.text(0.02, 0.85, incorrect, color=INCORRECT, transform=axes.transAxes)


def _draw_functions(axes: Axes, counts: TokenCounts) -> None:
    whole = float(counts.correct_share()[counts.tokens.index("Equality")])
    every = dict(
        zip(counts.tokens, zip(counts.correct_share().tolist(), counts.rows.sum(axis=1).tolist(), strict=True), strict=True)
    )
    found = sorted((*every[f.name], f.name) for f in FUNCTIONS if f.name in every)
    for y, (share, rows, _) in enumerate(found):
        colour = CORRECT if share >= whole else INCORRECT
        axes.plot([whole, share], [y, y], color=GREY, linewidth=0.8, zorder=1)
        axes.plot(share, y, "o", color=colour, markerfacecolor="white" if rows < _FEW else colour)
        axes.annotate(f"{rows:,}", (1.0, y), color=GREY, fontsize=8, ha="right", va="center")
    axes.axvline(whole, color=GREY, linewidth=0.8)
    axes.axvspan(whole - _REVEALING, whole + _REVEALING, color=GREY, alpha=0.08, linewidth=0)
    outside = [(abs(share - whole), name) for share, rows, name in found if rows >= _FEW and abs(share - whole) > _REVEALING]
    if outside:
        axes.set_title(f"Functions that reveal the label: {', '.join(name for _, name in sorted(outside, reverse=True)[:5])}")
    else:
        axes.set_title(f"No function is more than 10 points from the {whole:.0%} correct of all equations")
    axes.set(yticks=range(len(found)), yticklabels=[name for *_, name in found], xlim=(0, 1))
    axes.set_xlabel("fraction correct of the equations with the function (grey: their number; open: fewer than 100)")
