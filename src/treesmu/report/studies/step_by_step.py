"""Step by step: agreement of verdicts when inner parts are worked out first."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import model_looks, rounded_range
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..numbers import Spread
from ..section import Section, analysed_depths, conditions, find, ordered
from ..table import Cell, Column, Table
from ..text.sentences import Condition, bands_note, condition_name, seeds_note, shares

STEPS = {"one_step": "one step", "all_steps": "all steps"}
MEASURES = ("agreement", "accuracy_before", "accuracy_after")


def section(study: StudyResults, folder: Folder) -> Section:
    if not study.analyses:
        return Section(study, ())
    return Section(study, (_table(study, folder), _figure(study, folder)), _conclusions(study, folder))


def share(study: StudyResults, group: SeedGroup, step: str, measure: str, depth: str | None = None) -> Spread | None:
    def found(analysis: Any) -> Any:
        there = analysis[step] if depth is None else analysis[step]["by_depth"].get(depth, {})
        return there.get(measure)

    return study.asked(group, found)


def _table(study: StudyResults, folder: Folder) -> Table:
    groups = ordered(folder, study.groups)
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    for name in STEPS.values():
        columns.append(Column(f"{name}: equations", 0))
        columns += [Column.percent(f"{name}: {m.replace('_', ' ')} %") for m in MEASURES]
    return Table(
        name="step-by-step",
        caption="Verdicts before and after inner parts of an equation are worked out",
        columns=tuple(columns),
        rows=tuple(
            (e.corpus, e.recipe, model_name(e.model), *(cell for step in STEPS for cell in _cells(study, e, step)))
            for e in groups
        ),
        keys=3,
        notes=(seeds_note(groups),),
    )


def _cells(study: StudyResults, group: SeedGroup, step: str) -> list[Cell]:
    equations = study.counted(group, lambda analysis: analysis[step]["equations"])
    return [equations, *(share(study, group, step, measure) for measure in MEASURES)]


def _figure(study: StudyResults, folder: Folder) -> Figure:
    depths = analysed_depths(study, "all_steps")
    lines = {
        condition: tuple(_line(study, group, depths) for group in groups)
        for condition, groups in conditions(folder, study.groups).items()
    }
    y_range = rounded_range(series for some in lines.values() for series in some)
    ticks = tuple(float(depth) for depth in depths if int(depth) % 2)
    panels = [
        Lines(condition_name(condition), "depth of the equation", "same verdict (%)", some, y_range, ticks=ticks)
        for condition, some in lines.items()
    ]
    title = "How often the verdict stays when all inner parts are worked out first"
    return Figure("step-by-step", title, bands_note(study.groups), tuple(panels))


def _line(study: StudyResults, group: SeedGroup, depths: list[str]) -> Series:
    points = {float(depth): share(study, group, "all_steps", "agreement", depth) for depth in depths}
    return Series.over(points=points, **model_looks(group))


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    """With accuracy beside agreement: verdicts that agree need not be right."""
    found: dict[str, list[tuple[Condition, Spread]]] = {measure: [] for measure in MEASURES}
    for condition, groups in conditions(folder, study.groups).items():
        smu = find(groups, "tree-smu")
        for measure in MEASURES if smu else ():
            if smu and (value := share(study, smu, "all_steps", measure)):
                found[measure].append((condition, value))
    if not all(found.values()):
        return ()
    stays, before, after = (shares(found[measure]) for measure in MEASURES)
    return (
        f"When all inner parts are worked out first, Tree-SMU's verdict stays for {stays}.",
        f"It is right for {before} before that and for {after} after.",
    )
