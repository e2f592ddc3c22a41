"""Rows are shown as text for people and as records for programs."""

from __future__ import annotations

from pathlib import Path

from corpora import equations, write_corpus
from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect import show
from treesmu.expr import parse


def test_a_row_is_a_line_with_label_depth_kind_and_equation(tmp_path: Path) -> None:
    lines = show.text(Dataset.read(write_corpus(tmp_path))).splitlines()
    assert lines[0] == "correct     2  rewrite    x + y = y + x"
    assert lines[1] == "incorrect   2  near-miss  x + y = y + z"


def test_no_room_is_left_for_a_kind_that_is_not_known() -> None:
    assert show.text(Dataset.of([parse("x = y")], [0])) == "incorrect   1  x = y"


def test_records_have_every_column_and_latex(tmp_path: Path) -> None:
    record = show.records(Dataset.read(write_corpus(tmp_path)))[4]
    e = equations()[4]
    assert record == {
        "split": "test",
        "row": 4,
        "label": 1,
        "depth": e.depth,
        "size": e.size,
        "chain": 4,
        "kind": "rewrite",
        "infix": str(e),
        "latex": e.latex(),
        "prefix": " ".join(e.prefix()),
    }
