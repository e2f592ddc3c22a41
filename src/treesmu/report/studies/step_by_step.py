"""Step by step: agreement of predictions before and after inner parts are simplified."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..figures.accuracy import model_looks
from ..figures.figure import Figure, Lines, Series, rounded_range
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..runs import SeedGroup
from ..section import Section, described_models
from ..table import Cell, Column, Columns, Table, groups_table
from ..text.sentences import bands_note, seeds_note, shares

STEPS = {"one_step": "one step", "all_steps": "all steps"}
MEASURES = ("agreement", "accuracy_before", "accuracy_after")


def section(study: StudyResults) -> Section:
    conclusions = [sentence for model in described_models(study) for sentence in _conclusions(study, model)]
    return Section(study, (_table(study), _figure(study)), tuple(conclusions))


def share(study: StudyResults, group: SeedGroup, step: str, measure: str, depth: str | None = None) -> Spread | None:
    """Return a measure of the analyses for one or for all steps, at one depth or overall."""

    def find(analysis: Any) -> Any:
        found = analysis[step] if depth is None else analysis[step]["by_depth"].get(depth, {})
        return found.get(measure)

    return study.over_analyses(group, find)


def _table(study: StudyResults) -> Table:
    def equations(group: SeedGroup, step: str) -> Cell:
        return study.count(group, lambda analysis: analysis[step]["equations"])

    columns: Columns = {}
    for step, name in STEPS.items():
        columns[Column(f"{name}: equations", 0)] = partial(equations, step=step)
        for measure in MEASURES:
            title = f"{name}: {measure.replace('_', ' ')} %"
            columns[Column.percent(title)] = partial(share, study, step=step, measure=measure)
    caption = "Predictions before and after inner parts of an equation are simplified"
    return groups_table("step-by-step", caption, study.groups, columns, (seeds_note(study.groups),))


def _figure(study: StudyResults) -> Figure:
    depths = study.analysed_depths("all_steps")
    lines = {
        condition: tuple(_line(study, group, depths) for group in groups) for condition, groups in study.conditions.items()
    }
    y_range = rounded_range(series for some in lines.values() for series in some)
    ticks = tuple(float(depth) for depth in depths if int(depth) % 2)
    panels = [
        Lines(str(condition), "depth of the equation", "same prediction (%)", some, y_range, ticks=ticks)
        for condition, some in lines.items()
    ]
    title = "How often the prediction stays the same when all inner parts are simplified first"
    return Figure("step-by-step", title, bands_note(study.groups), tuple(panels))


def _line(study: StudyResults, group: SeedGroup, depths: list[str]) -> Series:
    points = {float(depth): share(study, group, "all_steps", "agreement", depth) for depth in depths}
    return Series.over(points=points, **model_looks(group))


def _conclusions(study: StudyResults, model: str) -> tuple[str, ...]:
    """Return agreement and accuracy: predictions that agree need not be right."""
    found = [study.under_conditions(model, partial(share, study, step="all_steps", measure=measure)) for measure in MEASURES]
    if not all(found):
        return ()
    agreement, before, after = map(shares, found)
    return (
        f"When all inner parts are simplified first, the prediction of {model_name(model)} stays the same for {agreement}.",
        f"It is right for {before} before and for {after} after.",
    )
