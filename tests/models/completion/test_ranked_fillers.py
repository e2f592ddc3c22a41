"""Ranked fillers are an ordinary list of tuples, and a table in a notebook."""

from __future__ import annotations

import pickle

from treesmu import check, parse
from treesmu.models.completion.ranked_fillers import RankedFiller, RankedFillers


def test_a_notebook_shows_one_row_per_filler_with_its_formula_and_its_verdict() -> None:
    right, wrong = check("x + 1 = x + 1"), check("x + 2 = x + 1")
    found = RankedFillers([RankedFiller(parse("x/2"), 0.75, right, "search"), RankedFiller(parse("2"), 0.25, wrong)])
    table = found._repr_html_()
    assert table.count("<tr>") == 3
    assert (
        f"<td>1</td><td>{parse('x/2').mathml()}</td><td>75.0%</td><td>✓ correct &mdash; {right.reason}</td><td>search</td>"
        in table
    )
    assert "<td>25.0%</td><td>✗ incorrect &mdash; different" in table
    assert found == [(parse("x/2"), 0.75, right), (parse("2"), 0.25, wrong)]


def test_a_ranked_filler_is_a_tuple_that_knows_how_it_was_found() -> None:
    one = RankedFiller(parse("x"), 0.5, check("x = x"), "search")
    filler, probability, verdict = one
    assert (filler, probability, verdict) == one
    assert "found by search" in repr(one)
    copy = pickle.loads(pickle.dumps(one))
    assert (copy, copy.found_by) == (one, "search")
    assert RankedFiller(*one).found_by == "model"
