"""Every line of typed_inputs.txt is read, or refused, as the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from treesmu.expr.notation.latex import latex
from treesmu.expr.notation.parse import parse
from treesmu.expr.notation.token import ParseError

LINES = Path(__file__).with_name("typed_inputs.txt").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in LINES if not line.startswith("# ")]


@pytest.mark.parametrize(("typed", "reading"), [row for row in ROWS if len(row) == 2])
def test_a_typed_input_is_read_as_it_is_meant(typed: str, reading: str):
    e = parse(typed)
    assert str(e) == reading
    assert parse(reading) is parse(latex(e)) is e


@pytest.mark.parametrize(("typed", "position", "message"), [row for row in ROWS if len(row) == 3])
def test_a_typed_input_is_refused_with_what_to_write_instead(typed: str, position: str, message: str):
    with pytest.raises(ParseError) as caught:
        parse(typed)
    assert (f"!{caught.value.position}", caught.value.message) == (position, message)


def test_there_are_three_hundred_different_inputs():
    assert len({row[0] for row in ROWS}) == len(ROWS) >= 300
    assert all(len(row) == 2 or (len(row) == 3 and row[1].startswith("!")) for row in ROWS)
