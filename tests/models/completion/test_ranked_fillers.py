"""Ranked fillers are an ordinary list of tuples, and a table in a notebook."""

from __future__ import annotations

from treesmu import check, parse
from treesmu.models.completion.ranked_fillers import RankedFillers


def test_a_notebook_shows_one_row_per_filler_with_its_formula_and_its_verdict() -> None:
    right, wrong = check("x + 1 = x + 1"), check("x + 2 = x + 1")
    found = RankedFillers([(parse("x/2"), 0.75, right), (parse("2"), 0.25, wrong)])
    table = found._repr_html_()
    assert table.count("<tr>") == 3
    assert f"<td>1</td><td>{parse('x/2').mathml()}</td><td>75.0%</td><td>✓ correct &mdash; {right.reason}</td>" in table
    assert "<td>25.0%</td><td>✗ incorrect &mdash; different" in table
    assert found == [(parse("x/2"), 0.75, right), (parse("2"), 0.25, wrong)]
