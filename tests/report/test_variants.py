"""Studies that change one thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name
from sections import figure_of, section_of


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
