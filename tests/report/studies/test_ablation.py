"""The section of the ablation."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name
from sections import figure_of, section_of
from treesmu.report.section import Section


def ablation(path: Path, right: dict[tuple[str, str], int]) -> Section:
    """right: by model and variant."""
    names = {run_name("hard", model, f"treesmu,{part}=x", 1): (model, part) for model, part in right}
    variants = {name: part for name, (_, part) in names.items()}
    return section_of(path, "ablation", {name: right[which] for name, which in names.items()}, variants)


@pytest.mark.parametrize(
    ("head", "unit", "text"),
    [(75, 72, "falls with none"), (69, 72, "falls most with “dot head” (−1.0 points)")],
)
def test_the_title_names_what_falls_most_only_if_something_falls(tmp_path: Path, head: int, unit: int, text: str) -> None:
    smu = {("tree-smu", part): right for part, right in (("whole", 70), ("head", head), ("unit", unit))}
    title = figure_of(ablation(tmp_path, smu), "ablation").title
    assert title == f"The recipe with one part at a time replaced by the paper's: productivity {text}"


def test_a_part_is_never_compared_with_another_model(tmp_path: Path) -> None:
    right = {("tree-lstm", "whole"): 60, ("tree-smu", "whole"): 80, ("tree-smu", "head"): 77, ("tree-rnn", "head"): 50}
    assert ablation(tmp_path, right).conclusions == (
        "The recipe with “dot head”, Tree-SMU: productivity −3.0 (hard corpus, recipe treesmu) points; one seed, so this may "
        "be due to chance.",
    )
