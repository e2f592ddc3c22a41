"""The section of data size."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import section_of


def test_sizes_are_compared_under_the_same_condition(tmp_path: Path) -> None:
    outcomes = (("paper", 100, 60), ("paper", 900, 61), ("treesmu", 100, 70), ("treesmu", 900, 73))
    names = {run_name("hard", "tree-smu", f"{recipe},rows={rows}", 1): (rows, right) for recipe, rows, right in outcomes}
    right, variants = {name: n for name, (_, n) in names.items()}, {name: str(rows) for name, (rows, _) in names.items()}
    assert section_of(tmp_path, "data_size", right, variants).conclusions == (
        "From 100 to 900 training equations, the productivity of Tree-SMU changes by +1.0 (hard corpus, paper's recipe) to "
        "+3.0 (hard corpus, recipe treesmu) points; one seed, so this may be due to chance.",
    )
