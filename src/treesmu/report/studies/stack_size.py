"""Stack size: rows in use by depth beside the paper's, and accuracy for each size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..figures.figure import Figure, Lines, Series
from ..figures.palette import model_colour, paler
from ..folder import Folder, SeedGroup, StudyResults
from ..numbers import Spread
from ..paper import PaperValue, paper_stack_rows
from ..section import Part, Section, analysed_depths, conditions, is_like_the_paper, ordered, pairs, productivity
from ..table import Cell, Column, Compared, Table
from ..text.sentences import changes, condition_name, seeds_note
from ..variants import accuracy_along, accuracy_table


def section(study: StudyResults, folder: Folder) -> Section:
    parts: list[Part] = [_rows_figure(study, folder), _rows_table(study, folder)] if study.analyses else []
    parts.append(accuracy_table(study, folder, "Accuracy for each stack size p, trained on depth 1-7", "p"))
    title = _title(folder, study)
    parts.append(accuracy_along(study, folder, title, "rows of the stack, p", lambda group: float(group.variant)))
    return Section(study, tuple(parts), _conclusions(folder, study))


def _in_use(study: StudyResults, group: SeedGroup, depth: str) -> Spread | None:
    def measure(analysis: dict[str, Any]) -> float | None:
        found = analysis["by_depth"].get(depth)
        return None if found is None else float(found["rows_in_use"])

    return study.asked(group, measure)


def _rows_figure(study: StudyResults, folder: Folder) -> Figure:
    panels = [
        Lines(
            title=condition_name(condition),
            x_label="depth of the equation",
            y_label="rows in use",
            series=tuple(_rows_lines(study, folder, groups)),
            ticks=tuple(float(depth) for depth in analysed_depths(study)),
        )
        for condition, groups in conditions(folder, study.groups).items()
    ]
    note = (
        "Rows with a norm above 0.001 in the stacks of the root's children, mean. Open marks: the paper's, where data and "
        "recipe are like the paper's."
    )
    return Figure("stack-rows", _rows_title(study), note, tuple(panels))


def _rows_lines(study: StudyResults, folder: Folder, groups: list[SeedGroup]) -> Iterator[Series]:
    """The more rows, the stronger the colour; the paper's marks in the colour of the same size."""
    for k, group in enumerate(groups):
        name, colour = f"p = {group.variant}", _ramp(k, len(groups))
        rows: dict[float, Spread | None] = {float(depth): _in_use(study, group, depth) for depth in analysed_depths(study)}
        line = Series.over(name, rows, scale=1, colour=colour)
        yield line
        paper = paper_stack_rows(int(group.variant)) if line.x and is_like_the_paper(folder, group) else {}
        if paper:
            yield Series(name, tuple(map(float, paper)), tuple(paper.values()), colour=colour, is_paper=True)


def _ramp(k: int, many: int) -> str:
    return paler(model_colour("tree-smu"), 0.6 * (1 - (k + 1) / many))


def _rows_title(study: StudyResults) -> str:
    """The two ends of the line of the largest stack."""
    largest = max(study.groups, key=lambda group: int(group.variant))
    depths = analysed_depths(study)
    first, last = (_in_use(study, largest, depth) for depth in (depths[0], depths[-1])) if depths else (None, None)
    if first is None or last is None:
        return "Rows of the stack that are in use, by depth"
    where = condition_name((largest.corpus, largest.recipe))
    ends = f"{first.mean:.1f} are in use at depth {depths[0]} and {last.mean:.1f} at depth {depths[-1]}"
    return f"Of {largest.variant} rows, {ends} ({where})"


def _rows_table(study: StudyResults, folder: Folder) -> Table:
    groups, depths = ordered(folder, study.groups), analysed_depths(study)

    def cell(group: SeedGroup, depth: str) -> Cell:
        found, paper = _in_use(study, group, depth), paper_stack_rows(int(group.variant)).get(int(depth))
        if found is None or paper is None or not is_like_the_paper(folder, group):
            return found
        return Compared(found, PaperValue(paper))

    return Table(
        name="stack-rows",
        caption="Mean number of stack rows in use at the root's children, by depth",
        columns=(Column("corpus"), Column("recipe"), Column("p"), *(Column(f"depth {depth}", 2) for depth in depths)),
        rows=tuple((e.corpus, e.recipe, e.variant, *(cell(e, depth) for depth in depths)) for e in groups),
        keys=3,
        is_wide=True,
        notes=(seeds_note(groups),),
    )


def _title(folder: Folder, study: StudyResults) -> str:
    found = [
        max(means) - min(means)
        for groups in conditions(folder, study.groups).values()
        if len(means := [value.mean for group in groups if (value := productivity(group))]) > 1
    ]
    return f"Stack size moves productivity by {100 * max(found):.1f} points at most" if found else "Accuracy by stack size"


def _conclusions(folder: Folder, study: StudyResults) -> tuple[str, ...]:
    """One row against the largest number of rows."""
    sizes = sorted({group.variant for group in study.groups}, key=int)
    if len(sizes) < 2:
        return ()
    found = pairs(folder, study, ("tree-smu", sizes[0]), ("tree-smu", sizes[-1]), productivity)
    return (f"From p = {sizes[0]} to p = {sizes[-1]} productivity changes by {changes(found)}.",) if found else ()
