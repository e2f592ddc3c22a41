"""The section of productivity and systematicity."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import figure_of, section_of, table_of
from treesmu.report.formats import markdown


def test_the_majority_is_ignored_when_the_order_of_models_is_compared(tmp_path: Path) -> None:
    right = {"majority": 99, "tree-rnn": 60, "tree-lstm": 70, "tree-smu": 80}
    found = section_of(tmp_path, "productivity", {run_name("paper", m, "paper", 1): n for m, n in right.items()})
    away = (60 - 68.95 + 70 - 77.58 + 80 - 79.57) / 3
    wanted = f"is {-away:.1f} points below the paper's on average, and all pairs of models are ordered as in the paper"
    assert figure_of(found, "beside-the-paper").title.endswith(wanted)
    assert "if corpus and recipe are like the paper's." in markdown(table_of(found, "productivity"))
