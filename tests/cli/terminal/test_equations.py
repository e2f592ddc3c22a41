"""Equations as a user gives them: as arguments, in a file, or on standard input."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from treesmu.cli.terminal.equations import read_equations
from treesmu.cli.terminal.options import InputError
from treesmu.errors import DataError
from treesmu.expr import ParseError, parse


def test_arguments_come_before_the_lines_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("\ufeff# identities\n\n  x + y = y + x\n   # not this one\n1 = 1\n", encoding="utf-8")
    expected = [parse(text) for text in ("x = x", "x + y = y + x", "1 = 1")]
    assert read_equations(["x = x"], str(file)) == expected


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("x = x\n"))
    assert read_equations([], "-") == [parse("x = x")]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = \xe9"), "utf-8"))
    with pytest.raises(InputError, match="standard input: byte 4 is not UTF-8 text; save it as UTF-8"):
        read_equations([], "-")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = x\nsin(x\n", "some.txt, line 2: expected ')' at the end"),
        (b"# x\nsin(x)\n", "some.txt, line 2: expected '=' (this is an expression, not an equation) at the end"),
        (b"x = x\nx = \xe9\n", "some.txt: byte 10 is not UTF-8 text; save it as UTF-8"),
        (b"# nothing\n\n", "some.txt: there is no equation in it; try: treesmu verify "),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_line(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(content)
    with pytest.raises((InputError, DataError)) as caught:
        read_equations(["1 = 1"] if b"nothing" not in content else [], str(file))
    assert message in str(caught.value)


def test_an_argument_must_be_an_equation_without_a_blank() -> None:
    for text, message, position in (
        ("sin(x)", "expected '=' (this is an expression, not an equation) at the end", 6),
        ("x + _ = 1", "there is a blank: only a complete equation can be checked", 4),
    ):
        with pytest.raises(ParseError) as caught:
            read_equations([text], None)
        assert (caught.value.message, caught.value.position) == (message, position)
    with pytest.raises(InputError, match="no equation given; try: treesmu verify "):
        read_equations([], None)
