"""The section of stack size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduced import run_name
from sections import figure_of, section_of, table_of
from treesmu.report.figures.figure import Lines
from treesmu.report.numbers import Spread
from treesmu.report.paper import PaperValue, paper_stack_rows
from treesmu.report.section import Section
from treesmu.report.table import Compared


def rows_in_use(**by_depth: float) -> dict[str, Any]:
    return {"by_depth": {depth[1:]: {"rows_in_use": rows} for depth, rows in by_depth.items()}}


def stack_size(path: Path, corpus: str, right: dict[str, int], analyses: dict[str, Any] | None = None) -> Section:
    """right, analyses: by p."""
    names = {p: run_name(corpus, "tree-smu", f"paper,stack={p}", 1) for p in right}
    by_run = {names[p]: content for p, content in (analyses or {}).items()}
    return section_of(
        path, "stack_size", {names[p]: many for p, many in right.items()}, {n: p for p, n in names.items()}, by_run
    )


def test_the_smallest_stack_is_compared_with_the_largest(tmp_path: Path) -> None:
    found = stack_size(tmp_path, "hard", {"2": 70, "14": 73})
    assert found.conclusions == (
        "From p = 2 to p = 14 productivity changes by +3.0 (hard corpus, paper's recipe) points; one seed, so this may be due "
        "to chance.",
    )
    assert figure_of(found, "stack-size").title == "Accuracy by stack size"  # one seed


def test_rows_in_use_are_shown_by_depth(tmp_path: Path) -> None:
    analyses = {"2": rows_in_use(d3=1.5, d10=2.0), "7": rows_in_use(d3=1.25, d10=4.5)}
    found = stack_size(tmp_path, "hard", {"2": 70, "7": 70}, analyses)
    figure, table = figure_of(found, "stack-rows"), table_of(found, "stack-rows")
    assert figure.title == "Rows of the stack in use, by depth"  # one seed
    (panel,) = figure.panels
    assert isinstance(panel, Lines)
    assert [(line.label, line.x, line.y) for line in panel.series] == [
        ("p = 2", (3.0, 10.0), (1.5, 2.0)),
        ("p = 7", (3.0, 10.0), (1.25, 4.5)),
    ]
    assert [column.title for column in table.columns] == ["corpus", "recipe", "p", "depth 3", "depth 10"]
    assert table.rows == (
        ("hard", "paper", "2", Spread((1.5,)), Spread((2.0,))),
        ("hard", "paper", "7", Spread((1.25,)), Spread((4.5,))),
    )


def test_the_papers_rows_stand_beside_ours_if_data_and_recipe_are_like_its(tmp_path: Path) -> None:
    paper = paper_stack_rows(7)
    found = stack_size(tmp_path, "paper", {"7": 70}, {"7": rows_in_use(d3=1.25)})
    (panel,) = figure_of(found, "stack-rows").panels
    assert isinstance(panel, Lines)
    ours, theirs = panel.series
    assert (ours.is_paper, theirs.is_paper) == (False, True)
    assert dict(zip(theirs.x, theirs.y, strict=True)) == paper
    ((*_, cell),) = table_of(found, "stack-rows").rows
    assert cell == Compared(Spread((1.25,)), PaperValue(paper[3]))


def test_without_analyses_there_is_the_accuracy_alone(tmp_path: Path) -> None:
    found = stack_size(tmp_path, "hard", {"2": 70})
    assert [part.name for part in found.parts] == ["stack-size", "stack-size"]
    assert found.conclusions == ()
