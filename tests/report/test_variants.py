"""Studies that change one thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name
from sections import figure_of, section_of, table_of


@pytest.mark.parametrize(
    ("name", "variant", "title"),
    [
        ("stack_size", "1", "Accuracy by stack size"),
        ("model_size", "25", "Accuracy by number of parameters"),
        ("stack_operations", "push, pop, no-op", "Accuracy with some operations of the stack"),
        ("data_size", "1000", "Accuracy by number of training equations"),
    ],
)
def test_nothing_is_concluded_from_a_single_variant(tmp_path: Path, name: str, variant: str, title: str) -> None:
    """A report may be written during training, when only the first variant is finished."""
    runs = [run_name("hard", "tree-smu", recipe, 1) for recipe in ("paper", "treesmu")]
    found = section_of(tmp_path, name, dict(zip(runs, (60, 70), strict=True)), dict.fromkeys(runs, variant))
    assert found.conclusions == ()
    assert figure_of(found, name.replace("_", "-")).title == title


def test_the_section_of_data_size_has_the_law_of_both_accuracies(tmp_path: Path) -> None:
    outcomes = {100: 60, 400: 80, 1600: 90}  # the error is halved by four times the equations
    names = {run_name("hard", "tree-smu", f"treesmu,rows={rows}", 1): rows for rows in outcomes}
    right = {name: outcomes[rows] for name, rows in names.items()}
    found = section_of(tmp_path, "data_size", right, {name: str(rows) for name, rows in names.items()}, rows=names)
    law = table_of(found, "data-size-law")
    assert [row[3] for row in law.rows] == ["systematicity", "productivity"]
    assert law.rows[1][5:] == pytest.approx((0.5, 1.0, 10**-0.5 - 1))
