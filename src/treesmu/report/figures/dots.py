"""Dot plots of accuracy: variants of a model, all cells, and our results next to the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..numbers import Spread
from ..paper import paper_value
from ..runs import Condition, SeedGroup, by_condition, find
from ..section import BOTH
from ..text.sentences import bands_note
from .figure import Dot, Dots, Figure
from .palette import compared_cells, model_name

NARROWEST = 8.0  # points: smaller differences are not magnified
PAPER_NOTE = "Filled: ours, with standard deviation if there are several seeds. Open: the paper's."


def variants_figure(
    groups: Iterable[SeedGroup], name: str, title: str, label: Callable[[SeedGroup], str], reference: str
) -> Figure:
    """Return both accuracies of each variant. reference: the variant that the dotted line shows."""
    groups = list(groups)
    drawn = []  # title, dots, level
    for condition, some in by_condition(groups).items():
        for measure, (value, _) in BOTH.items():
            dots = [_dot(group, label(group), value(group)) for group in some]
            level = next((found.mean for group in some if group.variant == reference and (found := value(group))), None)
            drawn.append((f"{measure}: {condition}", [dot for dot in dots if dot], None if level is None else 100 * level))
    span = max(_width(dots) for _, dots, _ in drawn)
    panels = [
        Dots(title, "accuracy (%)", tuple(dots), _around(dots, span), level=level) for title, dots, level in drawn if dots
    ]
    shown = next((label(group) for group in groups if group.variant == reference), reference)
    return Figure(name, title, f"Dotted line: {shown}. {bands_note(groups, 'Bars')}", tuple(panels))


def cells_figure(conditions: dict[Condition, list[SeedGroup]]) -> Figure | None:
    """Return both accuracies of all cells under all conditions."""
    dots = {name: _cells(conditions, name) for name in BOTH}
    if not all(dots.values()):
        return None
    span = max(_width(some) for some in dots.values())
    panels = [
        Dots(f"{name}: test depth {low}-{high}", "accuracy (%)", tuple(dots[name]), _around(dots[name], span))
        for name, (_, (low, high)) in BOTH.items()
    ]
    return Figure("summary", "Accuracy of the cells on every corpus with every recipe", PAPER_NOTE, tuple(panels))


def _cells(conditions: dict[Condition, list[SeedGroup]], measure: str) -> list[Dot]:
    rows: list[Dot] = []
    for condition, groups in conditions.items():
        cells = [find(groups, cell) for cell in compared_cells(group.model for group in groups)]
        dots = [dot for group in cells if group and (dot := _paper_dot(group, measure))]
        rows += [Dot(str(condition)), *dots] if dots else []
    return rows


def paper_figure(groups: Iterable[SeedGroup], title: str) -> Figure:
    """Return both accuracies of models that were trained as in the paper."""
    panels = [
        Dots(
            title=f"{name}, depth {low}-{high}",
            x_label="accuracy (%)",
            rows=tuple(dot for group in reversed(list(groups)) if (dot := _paper_dot(group, name))),
            x_range=(40, 100),
        )
        for name, (_, (low, high)) in BOTH.items()
    ]
    return Figure("beside-the-paper", title, PAPER_NOTE, tuple(panels))


def _paper_dot(group: SeedGroup, measure: str) -> Dot | None:
    paper = paper_value("productivity", group.model, measure) if group.is_paper_like else None
    return _dot(group, model_name(group.model), BOTH[measure][0](group), paper.mean if paper else None)


def _dot(group: SeedGroup, label: str, value: Spread | None, paper: float | None = None) -> Dot | None:
    """Return a dot in per cent, or None if nothing was measured."""
    if value is None:
        return None
    return Dot(label, 100 * value.mean, None if value.sd is None else 100 * value.sd, group.colour, paper)


def _width(dots: Iterable[Dot]) -> float:
    """Return the distance from the lowest to the highest dot, in points."""
    values = _values(dots)
    return max(max(values) - min(values), NARROWEST) if values else NARROWEST


def _around(dots: Iterable[Dot], span: float) -> tuple[float, float]:
    """Return a range of x around the dots, with room for text at both ends; equal spans make panels comparable."""
    values = _values(dots)
    middle = (min(values) + max(values)) / 2 if values else 50.0
    return middle - 0.68 * span, middle + 0.68 * span


def _values(dots: Iterable[Dot]) -> list[float]:
    return [value for dot in dots for value in (dot.value, dot.paper) if value is not None]
