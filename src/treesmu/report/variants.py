"""For studies that change one thing: accuracy for each of its variants, as a table, along a line, or as dots."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .figures.by_depth import rounded_range
from .figures.figure import Dot, Dots, Figure, Lines, Series
from .figures.palette import INK, model_colour, model_name
from .folder import Folder, SeedGroup, StudyResults
from .numbers import Spread
from .section import PRODUCTIVITY, SYSTEMATICITY, conditions, ordered, productivity, systematicity
from .table import Cell, Column, Table
from .text.sentences import bands_note, condition_name, seeds_note

BOTH = (("systematicity", SYSTEMATICITY), ("productivity", PRODUCTIVITY))
NARROWEST = 8.0  # points: a dot plot does not blow up what is smaller


def parameters(group: SeedGroup) -> int:
    return int(group.runs[0].settings["parameters"])


def accuracy_table(
    study: StudyResults,
    folder: Folder,
    caption: str,
    variant: str,
    name: Callable[[SeedGroup], str] = lambda group: group.variant,
) -> Table:
    """variant: the title of its column; name: what an group is called there."""
    groups = ordered(folder, study.groups)
    columns = [Column("corpus"), Column("recipe"), Column("model"), Column(variant), Column("parameters")]
    columns += [Column.percent(f"{measure} %", is_best=True) for measure, _ in BOTH]
    rows: list[tuple[Cell, ...]] = [
        (
            *(group.corpus, group.recipe, model_name(group.model), name(group), parameters(group)),
            *(systematicity(group), productivity(group), group.seeds),
        )
        for group in groups
    ]
    return Table(
        name=study.name.replace("_", "-"),
        caption=caption,
        columns=(*columns, Column("seeds")),
        rows=tuple(rows),
        keys=4,
        notes=(seeds_note(groups),),
    )


# -- along a line ------------------------------------------------------------------------------------------------------


def accuracy_along(
    study: StudyResults, folder: Folder, title: str, x_label: str, at: Callable[[SeedGroup], float], is_log: bool = True
) -> Figure:
    """Both accuracies of each model against something that the variants change: a panel for each corpus and recipe."""
    lines = {
        condition: tuple(
            _along(model, measure, depths, [group for group in groups if group.model == model], at)
            for model in dict.fromkeys(group.model for group in groups)
            for measure, depths in BOTH
        )
        for condition, groups in conditions(folder, study.groups).items()
    }
    y_range = rounded_range(series for some in lines.values() for series in some)
    places = {series.x for some in lines.values() for series in some}
    ticks = places.pop() if len(places) == 1 else ()  # where all lines have the same places, these
    panels = [
        Lines(condition_name(condition), x_label, "accuracy (%)", some, y_range, is_log=is_log, ticks=ticks)
        for condition, some in lines.items()
    ]
    note = f"Dashed: systematicity, test depth 1-7. Solid: productivity, test depth 8-19. {bands_note(study.groups)}"
    return Figure(study.name.replace("_", "-"), title, note, tuple(panels))


def _along(
    model: str, measure: str, depths: tuple[int, int], groups: list[SeedGroup], at: Callable[[SeedGroup], float]
) -> Series:
    points: dict[float, Spread | None] = {at(group): group.accuracy(*depths) for group in sorted(groups, key=at)}
    style = "-" if measure == "productivity" else "--"
    return Series.over(f"{model_name(model)}\n{measure}", points, colour=model_colour(model), style=style)


# -- dots --------------------------------------------------------------------------------------------------------------


def accuracy_dots(
    folder: Folder, groups: Iterable[SeedGroup], name: str, title: str, label: Callable[[SeedGroup], str], whole: str
) -> Figure:
    """A dot for each variant, both accuracies side by side. whole: the variant that the others are held against."""
    groups = list(groups)
    drawn = []  # title, dots, level
    for condition, some in conditions(folder, groups).items():
        for measure, depths in BOTH:
            dots = tuple(dot for e in some if (dot := accuracy_dot(label(e), e.accuracy(*depths), model_colour(e.model))))
            level = next((value.mean for e in some if e.variant == whole and (value := e.accuracy(*depths))), None)
            drawn.append((f"{measure}: {condition_name(condition)}", dots, None if level is None else 100 * level))
    span = max(width(dots) for _, dots, _ in drawn)
    panels = [Dots(title, "accuracy (%)", dots, around(dots, span), level=level) for title, dots, level in drawn if dots]
    first = next((label(group) for group in groups if group.variant == whole), whole)
    return Figure(name, title, f"The dotted line: {first}. {bands_note(groups, 'Bars')}", tuple(panels))


def accuracy_dot(label: str, found: Spread | None, colour: str = INK, paper: float | None = None) -> Dot | None:
    """In per cent; none where nothing was measured."""
    if found is None:
        return None
    return Dot(label, 100 * found.mean, None if found.sd is None else 100 * found.sd, colour, paper)


def width(dots: Iterable[Dot]) -> float:
    """From the lowest to the highest, in points."""
    values = _values(dots)
    return max(max(values) - min(values), NARROWEST) if values else NARROWEST


def around(dots: Iterable[Dot], span: float) -> tuple[float, float]:
    """A range as wide as the span around the dots, with room at both ends for what is written there."""
    values = _values(dots)
    middle = (min(values) + max(values)) / 2 if values else 50.0
    return middle - 0.68 * span, middle + 0.68 * span


def _values(dots: Iterable[Dot]) -> list[float]:
    return [value for dot in dots for value in (dot.value, dot.paper) if value is not None]
