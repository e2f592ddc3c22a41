"""Equations as a user gives them: as arguments, in a file, or on standard input."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from treesmu.cli.terminal.equations import LISTED, GivenEquation, list_errors, read_equations
from treesmu.cli.terminal.options import InputError
from treesmu.data import Dataset
from treesmu.errors import DataError
from treesmu.expr import Expr, parse


def trees(given: list[GivenEquation]) -> list[Expr | None]:
    return [equation.tree for equation in given]


def test_arguments_come_before_the_lines_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("\ufeff# identities\n\n  x + y = y + x\n   # not this one\n1 = 1\n", encoding="utf-8")
    given = read_equations(["x = x"], str(file))
    assert trees(given) == [parse(text) for text in ("x = x", "x + y = y + x", "1 = 1")]
    assert [equation.where for equation in given] == ["equation 1", f"{file}, line 3", f"{file}, line 5"]
    assert list(list_errors(given)) == []


@pytest.mark.parametrize("name", ["some.csv", "some.tsv", "some.jsonl", "some.parquet", "some.json"])
def test_the_equations_of_a_table_are_in_a_column(name: str, tmp_path: Path) -> None:
    equations = [parse("x = 2"), parse("x + y = y + x"), parse("log(x, 2) = 3")]
    Dataset.of(equations, [0, 1, 0]).write(tmp_path / name)
    assert trees(read_equations([], str(tmp_path / name))) == equations


def test_bad_rows_of_a_table_are_named_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "some.csv"
    file.write_text('equation,label,note\n"log(x, 2) = 3",0,\nsin(x = 1,0,\nx = x,1,a,b\n')
    given = read_equations([], str(file))
    assert trees(given) == [parse("log(x, 2) = 3"), None, None]
    assert [message.splitlines()[0] for message in list_errors(given)] == [
        f"{file}, line 3: expected ')' before '=':",
        f"{file}, line 4: 4 columns instead of 3; put a cell that contains ',' in quotes:",
    ]
    file = tmp_path / "some.jsonl"
    file.write_text('{"prefix": "Equality x x", "label": 1}\n{"prefix": "Equality x", "label": 1}\n')
    good, bad = read_equations([], str(file))
    assert good.tree == parse("x = x")
    assert bad.message().startswith(f"{file}, line 2: ")
    file.write_text('{"word": "none", "label": 1}\n')
    with pytest.raises(DataError, match="no column of equations among: word, label"):
        read_equations([], str(file))


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = x\n")))
    assert trees(read_equations([], "-")) == [parse("x = x")]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x = \xe9"), "utf-8"))
    with pytest.raises(DataError, match="standard input: byte 4 is not UTF-8 text; save it as UTF-8"):
        read_equations([], "-")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = x\nx = \xe9\n", "some.txt: byte 10 is not UTF-8 text; save it as UTF-8"),
        (b"# nothing\n\n", "some.txt: there is no equation in it; try: treesmu verify "),
    ],
)
def test_a_file_without_equations_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_bytes(content)
    with pytest.raises((InputError, DataError)) as caught:
        read_equations([], str(file))
    assert message in str(caught.value)
    with pytest.raises(InputError, match="no equation given; try: treesmu verify "):
        read_equations([], None)


def test_bad_equations_are_named_with_their_places_and_the_others_are_read(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("x = x\nsin(x\n# x\nsin(x)\n")
    given = read_equations(["1 = 1", "x + _ = 1"], str(file))
    assert trees(given) == [parse("1 = 1"), None, parse("x = x"), None, None]
    assert [message.splitlines()[0] for message in list_errors(given)] == [
        "equation 2: there is a blank: only a complete equation can be checked:",
        f"{file}, line 2: expected ')' at the end:",
        f"{file}, line 4: expected '=' (this is an expression, not an equation) at the end:",
    ]
    assert [e.error.position for e in given if e.error is not None] == [4, 5, 6]


def test_the_only_equation_needs_no_place() -> None:
    (given,) = read_equations(["sin(x)"], None)
    assert given.message().startswith("expected '=' (this is an expression, not an equation) at the end:\n  sin(x)\n")


def test_of_many_bad_equations_the_first_are_listed() -> None:
    *listed, rest = list_errors(read_equations(["x"] * 1234, None))
    assert len(listed) == LISTED
    assert listed[-1].startswith(f"equation {LISTED}: ")
    assert rest == "and 1,214 more equations that cannot be read"
