"""Accuracy as lines: by depth, or along something that the variants of a study change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..folder import StudyResults
from ..numbers import Spread
from ..runs import Measure, SeedGroup, by_condition, tested_depths
from ..section import BOTH
from ..text.sentences import bands_note, quantity
from .figure import Figure, Lines, Series, rounded_range
from .palette import model_name, model_style

FEW = 100  # equations; fewer make a line noisy
Looks = Callable[[SeedGroup], dict[str, Any]]


def model_looks(group: SeedGroup) -> dict[str, Any]:
    """Return label, colour and style of a model's line, the same in all figures."""
    return {"label": model_name(group.model), "colour": group.colour, "style": model_style(group.model)}


def accuracy_by_depth(
    groups: Iterable[SeedGroup], name: str, title: str, trained: tuple[int, int], looks: Looks = model_looks
) -> Figure:
    """Return one panel for each condition. trained: the depths of training, which are shaded; looks: of a group's line."""
    groups = list(groups)
    depths = tested_depths(groups)
    lines = {
        condition: tuple(
            Series.over(points={float(depth): group.accuracy(depth, depth) for depth in depths}, **looks(group))
            for group in some
        )
        for condition, some in by_condition(groups).items()
    }
    panels = [
        Lines(
            title=str(condition),
            x_label="depth of the equation",
            y_label="accuracy (%)",
            series=some,
            y_range=rounded_range(series for some in lines.values() for series in some),
            shaded=(*trained, "trained"),
            ticks=tuple(depth for depth in depths if depth % 2),
        )
        for condition, some in lines.items()
    ]
    return Figure(name, title, bands_note(groups) + few_note(groups), tuple(panels))


def few_note(groups: Iterable[SeedGroup]) -> str:
    """Return the depths at which a line is noisy, for each corpus if they differ."""
    by_corpus = {group.condition.corpus: _few(group) for group in groups}
    if len(set(by_corpus.values())) == 1:
        by_corpus = {"": next(iter(by_corpus.values()))}
    texts = [few + (f" ({corpus} corpus)" if corpus else "") for corpus, few in by_corpus.items() if few]
    return f" Only {'; '.join(texts)}." if texts else ""


def _few(group: SeedGroup) -> str:
    equations = {int(depth): measures["equations"] for depth, measures in group.runs[0].test["by_depth"].items()}
    few = {depth: many for depth, many in sorted(equations.items()) if many < FEW}
    if len(few) == len(equations) > 1:
        ends = dict.fromkeys((min(few.values()), max(few.values())))
        return f"{' to '.join(map(str, ends))} equations at each depth"
    return ", ".join(f"{quantity(many, 'equation')} at depth {depth}" for depth, many in few.items())


def accuracy_along(
    study: StudyResults, title: str, x_label: str, at: Callable[[SeedGroup], float], is_log: bool = True
) -> Figure:
    """Return both accuracies of each model against something that the variants change, one panel for each condition."""
    lines = {
        condition: tuple(
            _along([group for group in groups if group.model == model], name, measure, at)
            for model in dict.fromkeys(group.model for group in groups)
            for name, (measure, _) in BOTH.items()
        )
        for condition, groups in study.conditions.items()
    }
    y_range = rounded_range(series for some in lines.values() for series in some)
    places = {series.x for some in lines.values() for series in some}
    ticks = places.pop() if len(places) == 1 else ()  # at the points, if these are the same in all lines
    panels = [
        Lines(str(condition), x_label, "accuracy (%)", some, y_range, is_log=is_log, ticks=ticks)
        for condition, some in lines.items()
    ]
    note = f"Dashed: systematicity, test depth 1-7. Solid: productivity, test depth 8-19. {bands_note(study.groups)}"
    return Figure(study.name.replace("_", "-"), title, note, tuple(panels))


def _along(groups: list[SeedGroup], name: str, measure: Measure, at: Callable[[SeedGroup], float]) -> Series:
    points: dict[float, Spread | None] = {at(group): measure(group) for group in sorted(groups, key=at)}
    style = "-" if name == "productivity" else "--"
    return Series.over(f"{model_name(groups[0].model)}\n{name}", points, colour=groups[0].colour, style=style)
