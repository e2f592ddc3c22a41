"""The section of model size."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import figure_of, section_of, table_of
from treesmu.report.section import Section

RIGHT = {("tree-lstm", "25"): 60, ("tree-lstm", "100"): 59, ("tree-smu", "25"): 61, ("tree-smu", "100"): 65}


def model_size(path: Path, right: dict[tuple[str, str], int]) -> Section:
    names = {run_name("hard", model, f"paper,hidden={n}", 1): (model, n) for model, n in right}
    variants = {name: n for name, (_, n) in names.items()}
    return section_of(path, "model_size", {name: right[which] for name, which in names.items()}, variants)


def test_the_smallest_is_compared_with_the_largest_of_the_same_model(tmp_path: Path) -> None:
    found = model_size(tmp_path, RIGHT)
    chance = "(hard corpus, paper's recipe) points; one seed, so this may be due to chance."
    assert found.conclusions == (
        f"From n = 25 to n = 100 the productivity of Tree-LSTM changes by −1.0 {chance}",
        f"From n = 25 to n = 100 the productivity of Tree-SMU changes by +4.0 {chance}",
    )


def test_the_title_claims_nothing_from_one_seed(tmp_path: Path) -> None:
    assert figure_of(model_size(tmp_path, RIGHT), "model-size").title == "Accuracy by number of parameters"


def test_sizes_are_compared_as_numbers_not_as_text(tmp_path: Path) -> None:
    found = model_size(tmp_path, {("tree-smu", "9"): 60, ("tree-smu", "100"): 70})
    assert found.conclusions[0].startswith("From n = 9 to n = 100 the productivity of Tree-SMU changes by +10.0 ")
    assert [column.title for column in table_of(found, "model-size").columns][3:5] == ["n", "parameters"]
