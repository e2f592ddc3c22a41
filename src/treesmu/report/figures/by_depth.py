"""Something by depth: a line for each group, a panel for each corpus and recipe."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..folder import Folder, SeedGroup
from ..numbers import Spread
from ..section import conditions, test_depths
from ..text.sentences import bands_note, condition_name, number
from .figure import Figure, Lines, Series
from .palette import model_colour, model_name, model_style

FEW = 100  # equations; fewer make a line jump
Looks = Callable[[SeedGroup], dict[str, Any]]


def model_looks(group: SeedGroup) -> dict[str, Any]:
    """The line of a model, the same in all figures."""
    return {"label": model_name(group.model), "colour": model_colour(group.model), "style": model_style(group.model)}


def accuracy_by_depth(
    folder: Folder, groups: Iterable[SeedGroup], name: str, title: str, trained: tuple[int, int], looks: Looks = model_looks
) -> Figure:
    """trained: depths of training, shaded. looks: label, colour and style of an group's line."""
    groups = list(groups)
    depths = test_depths(groups)
    lines = {
        condition: tuple(_series(group, depths, looks) for group in some)
        for condition, some in conditions(folder, groups).items()
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
    return Figure(name, title, bands_note(groups) + few_note(groups), tuple(panels))


def _series(group: SeedGroup, depths: list[int], looks: Looks) -> Series:
    points: dict[float, Spread | None] = {depth: group.accuracy(depth, depth) for depth in depths}
    return Series.over(points=points, **looks(group))


def rounded_range(series: Iterable[Series]) -> tuple[float, float]:
    """Of shares in per cent: full fives around all lines, so that panels can be compared."""
    values = [y for one in series for y in one.y]
    low, high = min(values, default=0), max(values, default=100)
    return max(0, 5 * math.floor((low - 2) / 5)), min(100, 5 * math.ceil((high + 2) / 5))


def few_note(groups: Iterable[SeedGroup]) -> str:
    """Depths at which a line says little; of each corpus where they differ."""
    by_corpus = {group.corpus: _few(group) for group in groups}
    if len(set(by_corpus.values())) == 1:
        by_corpus = {"": next(iter(by_corpus.values()))}
    said = [few + (f" ({corpus} corpus)" if corpus else "") for corpus, few in by_corpus.items() if few]
    return f" Only {'; '.join(said)}." if said else ""


def _few(group: SeedGroup) -> str:
    equations = {int(depth): found["equations"] for depth, found in group.runs[0].test["by_depth"].items()}
    few = {depth: many for depth, many in sorted(equations.items()) if many < FEW}
    if len(few) == len(equations) > 1:
        ends = dict.fromkeys((min(few.values()), max(few.values())))
        return f"{' to '.join(map(str, ends))} equations at each depth"
    return ", ".join(f"{number(many, 'equation')} at depth {depth}" for depth, many in few.items())
