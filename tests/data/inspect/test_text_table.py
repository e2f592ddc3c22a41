"""A table is aligned text for people and records for programs."""

from __future__ import annotations

from treesmu.data.inspect.text_table import TextTable


def test_a_table_is_aligned_text() -> None:
    table = TextTable("Two", ("name", "rows", "share"), [("a", 1234, 0.5), ("long name", 1, 1.0)])
    assert table.text().splitlines() == [
        "Two",
        "  name        rows   share",
        "  a          1,234   50.0%",
        "  long name      1  100.0%",
    ]
