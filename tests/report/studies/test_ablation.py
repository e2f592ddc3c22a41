"""The section of the ablation."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name
from sections import figure_of, section_of
from treesmu.report.section import Section


def ablation(path: Path, right: dict[tuple[str, str], tuple[int, ...]]) -> Section:
    """right: by model and variant, for each seed."""
    names = {
        run_name("hard", model, f"treesmu,{part}=x", seed): (model, part, seed - 1)
        for (model, part), percents in right.items()
        for seed in range(1, len(percents) + 1)
    }
    variants = {name: part for name, (_, part, _) in names.items()}
    percents = {name: right[model, part][place] for name, (model, part, place) in names.items()}
    return section_of(path, "ablation", percents, variants)


@pytest.mark.parametrize(
    ("whole", "head", "unit", "text"),
    [
        ((70,), (60,), (72,), ""),
        ((70, 71, 72), (75, 66, 72), (72, 70, 71), ": no significant difference in {}"),
        ((70, 71, 72, 70), (60, 62, 61, 61), (71, 70, 72, 69), ": {} is higher in 0 and lower in 1 of 2 cases"),
    ],
)
def test_the_title_claims_what_survives_the_correction(
    tmp_path: Path, whole: tuple[int, ...], head: tuple[int, ...], unit: tuple[int, ...], text: str
) -> None:
    smu = {("tree-smu", part): right for part, right in (("whole", whole), ("head", head), ("unit", unit))}
    title = figure_of(ablation(tmp_path, smu), "ablation").title
    said = text.format("productivity (compared with the whole recipe)")
    assert title == f"The recipe with one part at a time replaced by the paper's{said}"


def test_a_part_is_never_compared_with_another_model(tmp_path: Path) -> None:
    right = {("tree-lstm", "whole"): 60, ("tree-smu", "whole"): 80, ("tree-smu", "head"): 77, ("tree-rnn", "head"): 50}
    assert ablation(tmp_path, {which: (percent,) for which, percent in right.items()}).conclusions == (
        "The recipe with “dot head”, Tree-SMU: productivity −3.0 (hard corpus, recipe treesmu) points; one seed, so this may "
        "be due to chance.",
    )
