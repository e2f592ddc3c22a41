"""The section of stack operations."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import figure_of, section_of
from treesmu.report.figures.figure import Dots
from treesmu.report.section import Section

WHOLE = ("tree-smu", "push, pop, no-op")


def operations(path: Path, right: dict[tuple[str, str], int]) -> Section:
    names = {run_name("hard", model, f"paper,which={k}", 1): (model, which) for k, (model, which) in enumerate(right)}
    variants = {name: which for name, (_, which) in names.items()}
    return section_of(path, "stack_operations", {name: right[which] for name, which in names.items()}, variants)


def test_a_queue_is_compared_with_the_stack(tmp_path: Path) -> None:
    found = operations(tmp_path, {WHOLE: 70, ("tree-smu", "queue"): 67})
    assert found.conclusions == (
        "A queue in place of the stack changes productivity by −3.0 (hard corpus, paper's recipe) points; one seed, so this "
        "may be due to chance.",
    )
    assert operations(tmp_path / "without", {WHOLE: 70, ("tree-smu", "push"): 50}).conclusions == ()


def test_the_title_claims_nothing_from_one_seed_and_the_line_is_that_of_all_operations(tmp_path: Path) -> None:
    found = operations(tmp_path, {WHOLE: 70, ("tree-smu", "push"): 66, ("stack-tree-rnn", "beside the cell"): 50})
    figure = figure_of(found, "stack-operations")
    assert figure.title == "Accuracy with some operations of the stack"  # one seed
    assert figure.note.startswith("Dotted line: push, pop, no-op.")
    panel = figure.panels[1]
    assert isinstance(panel, Dots)
    assert panel.level == 70.0
    assert {dot.label: dot.value for dot in panel.rows} == {"push, pop, no-op": 70.0, "push": 66.0, "beside the cell": 50.0}
