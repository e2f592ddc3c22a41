"""The numbers of the paper."""

from __future__ import annotations

from treesmu.report.paper import paper_stack_rows, paper_value


def test_numbers_are_written_as_the_paper_prints_them() -> None:
    assert str(paper_value("productivity", "tree-smu", "productivity")) == "79.57±0.16"
    assert str(paper_value("productivity", "lstm", "systematicity")) == "79.24±0.006"
    assert str(paper_value("localism", "majority", "localism")) == "60.88"
    assert paper_value("productivity", "stack-tree-rnn", "productivity") is None
    assert (paper_stack_rows(14)[3], paper_stack_rows(14)[12], paper_stack_rows(5)) == (0.05, 3.76, {})
