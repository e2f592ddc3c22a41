"""The page: complete in itself, with the drawing and a table of all nodes."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from traces import fixed_trace, small_model
from treesmu.trace.page import draw_page


class Page(HTMLParser):
    """The cells of the table, the rows that they are in, and every reference to another file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.references: list[str] = []
        self.in_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [str(value) for name, value in attrs if name in ("src", "href", "srcset", "action")]
        if tag == "tr":
            self.rows.append([])
        self.in_cell = tag in ("td", "th")
        if self.in_cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.in_cell:
            self.rows[-1][-1] += data


def test_the_table_has_the_numbers_of_all_nodes() -> None:
    rows = Page(draw_page(fixed_trace())).rows
    assert rows[0] == ["expression", "depth", "norm of the state", "row 0", "row 1", "push", "no-op", "pop", "u", "o", "f"]
    assert rows[1] == ["x + x", "1", "5.000", "5.000", "1.000", "0.60", "0.30", "0.10", "0.00", "1.00", "0.00, 1.00"]
    assert rows[2] == ["x", "2", "1.000", "0.000", "0.000", "", "", "", "", "", ""]
    assert len(rows) == 7


@pytest.mark.parametrize("name", ["tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn"])
def test_it_needs_no_other_file_and_explains_what_it_shows(name: str) -> None:
    page = draw_page(small_model(name).trace("sin(x)^2 + cos(x)^2 = 1"))
    assert Page(page).references == []
    assert all(word not in page for word in ("url(", "@import", "<script"))
    assert ("pushes a new value" in page) == ("stack" in name or name == "tree-smu")
    assert "<math" in page
    assert "<svg" in page


def test_a_plain_expression_has_no_verdict() -> None:
    assert "P(correct)" not in draw_page(small_model().trace("sin(x)"))
