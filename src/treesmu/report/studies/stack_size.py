"""Stack size: rows in use by depth next to the paper's, and accuracy for each size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..figures.accuracy import accuracy_along
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import paler
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import PaperValue, paper_stack_rows
from ..runs import SeedGroup
from ..section import Part, Section, productivity
from ..statistics.family import Family
from ..table import KEYS, Cell, Column, Columns, Compared, Table, groups_table
from ..text.claims import changes, title
from ..text.sentences import seeds_note
from ..variants import accuracy_table


def section(study: StudyResults) -> Section:
    parts: list[Part] = [_rows_figure(study), _rows_table(study)] if study.analyses else []
    parts.append(accuracy_table(study, "Accuracy for each stack size p, trained on depth 1-7", "p"))
    sizes = sorted({group.variant for group in study.groups}, key=int)
    phrase = f"From p = {sizes[0]} to p = {sizes[-1]}"
    pairs = study.pairs(("tree-smu", sizes[0]), ("tree-smu", sizes[-1]), productivity) if len(sizes) > 1 else []
    family = Family("size of the stack", {phrase: pairs})
    heading = title("Accuracy by stack size", "productivity (the largest stack compared with the smallest)", family)
    parts.append(accuracy_along(study, heading, "rows of the stack, p", lambda group: float(group.variant)))
    conclusions = (f"{phrase} productivity changes by {changes(family[phrase])}.",) if pairs else ()
    return Section(study, tuple(parts), conclusions, (family,))


def _rows_in_use(study: StudyResults, group: SeedGroup, depth: str) -> Spread | None:
    def measure(analysis: dict[str, Any]) -> float | None:
        found = analysis["by_depth"].get(depth)
        return None if found is None else float(found["rows_in_use"])

    return study.over_analyses(group, measure)


def _rows_figure(study: StudyResults) -> Figure:
    panels = [
        Lines(
            title=str(condition),
            x_label="depth of the equation",
            y_label="rows in use",
            series=tuple(_rows_lines(study, groups)),
            ticks=tuple(float(depth) for depth in study.analysed_depths()),
        )
        for condition, groups in study.conditions.items()
    ]
    note = (
        "Mean number of rows with a norm above 0.001 in the stacks of the root's children. Open marks: the paper's, if data "
        "and recipe are like the paper's."
    )
    return Figure("stack-rows", _rows_title(study), note, tuple(panels))


def _rows_lines(study: StudyResults, groups: list[SeedGroup]) -> Iterator[Series]:
    """Yield a line for each size, stronger in colour for larger stacks; the paper's marks have the colour of their size."""
    for k, group in enumerate(groups):
        name, colour = f"p = {group.variant}", paler(group.colour, 0.6 * (1 - (k + 1) / len(groups)))
        depths = study.analysed_depths()
        rows: dict[float, Spread | None] = {float(depth): _rows_in_use(study, group, depth) for depth in depths}
        line = Series.over(name, rows, scale=1, colour=colour)
        yield line
        paper = paper_stack_rows(int(group.variant)) if line.x and group.is_paper_like else {}
        if paper:
            yield Series(name, tuple(map(float, paper)), tuple(paper.values()), colour=colour, is_paper=True)


def _rows_title(study: StudyResults) -> str:
    """Return the rows in use of the largest stack at the first and the last depth, if several seeds show them."""
    largest = max(study.groups, key=lambda group: int(group.variant))
    depths = study.analysed_depths()
    first, last = (_rows_in_use(study, largest, depth) for depth in (depths[0], depths[-1])) if depths else (None, None)
    if first is None or last is None or first.sd is None or last.sd is None:
        return "Rows of the stack in use, by depth"
    texts = [
        f"{rows.mean:.1f} ± {rows.sd:.1f} are in use at depth {depth}"
        for rows, depth in ((first, depths[0]), (last, depths[-1]))
    ]
    return f"Of {largest.variant} rows, {' and '.join(texts)} ({largest.condition})"


def _rows_table(study: StudyResults) -> Table:
    def compare(group: SeedGroup, depth: str) -> Cell:
        ours, paper = _rows_in_use(study, group, depth), paper_stack_rows(int(group.variant)).get(int(depth))
        return ours if ours is None or paper is None or not group.is_paper_like else Compared(ours, PaperValue(paper))

    keys: Columns = {column: cell for column, cell in KEYS.items() if column.title != "model"}
    keys[Column("p")] = lambda group: group.variant
    columns: Columns = {Column(f"depth {depth}", 2): partial(compare, depth=depth) for depth in study.analysed_depths()}
    caption = "Mean number of stack rows in use at the root's children, by depth"
    return groups_table("stack-rows", caption, study.groups, columns, (seeds_note(study.groups),), keys, is_wide=True)
