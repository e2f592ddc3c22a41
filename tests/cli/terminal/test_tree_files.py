"""A file of trees is not taken for equations."""

from __future__ import annotations

from pathlib import Path

import pytest

from treesmu.cli.terminal.options import InputError
from treesmu.cli.terminal.tree_files import refuse_trees


def test_rows_of_trees_are_refused_with_the_tasks_that_they_are_for(tmp_path: Path) -> None:
    for row in ('{"tree": "(f x)", "label": 1}', '{"left": "x", "right": "y", "label": 1}'):
        (tmp_path / "a.jsonl").write_text(row + "\n", encoding="utf-8")
        with pytest.raises(InputError, match="has trees, not equations; say what is to be learned: --task classify"):
            refuse_trees(tmp_path / "a.jsonl")


@pytest.mark.parametrize("text", ['{"infix": "x = x", "label": 1}\n', "not json\n", ""])
def test_other_files_are_left_to_the_reader_of_equations(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    assert refuse_trees(tmp_path / "a.jsonl") == tmp_path / "a.jsonl"
    assert refuse_trees(tmp_path) == tmp_path
