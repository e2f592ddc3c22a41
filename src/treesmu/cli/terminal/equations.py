"""Equations that a user gives: as arguments, in a file with one per line, in a column of a table, or on standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treesmu.expr import Expr, ParseError, from_prefix, parse
from treesmu.expr.notation.tokens import tokenize
from treesmu.text_files import content_lines, read_stream, read_text

from .options import InputError

if TYPE_CHECKING:
    from treesmu.importing.readers import SourceRow

LISTED = 20  # bad equations
TABLES = (".csv", ".tsv", ".jsonl", ".json", ".parquet")  # files with the equations in a column


@dataclass(frozen=True, slots=True)
class GivenEquation:
    """An equation as it was given: its tree, or the error that says why it has none."""

    where: str  # its place, for messages; "" if it is the only one
    text: str
    read: Expr | ParseError

    @property
    def tree(self) -> Expr | None:
        """The equation; None if it could not be read."""
        return None if isinstance(self.read, ParseError) else self.read

    @property
    def error(self) -> ParseError | None:
        """Why the equation could not be read; None if it could."""
        return self.read if isinstance(self.read, ParseError) else None

    def message(self) -> str:
        """Return what is wrong with it, and where."""
        return f"{self.where}: {self.read}" if self.where else str(self.read)


def read_equations(texts: list[str], file: str | None) -> list[GivenEquation]:
    """Return the equations of the arguments, then those of a file, bad ones too; raise an error if there is none."""
    is_alone = len(texts) == 1 and file is None
    given = [_read("" if is_alone else f"equation {number}", text) for number, text in enumerate(texts, 1)]
    if file is not None and Path(file).suffix in TABLES:
        given += _read_table(Path(file))
    elif file is not None:
        content = read_stream(sys.stdin.buffer, "standard input") if file == "-" else read_text(Path(file))
        given += [_read(f"{file}, line {number}", line) for number, line in content_lines(content)]
    if not given:
        where = "no equation given" if file is None else f"{file}: there is no equation in it"
        raise InputError(f'{where}; try: treesmu verify "sin(x)^2 + cos(x)^2 = 1"')
    return given


def list_errors(given: list[GivenEquation]) -> Iterator[str]:
    """Yield what is wrong with the equations that could not be read, at most LISTED of them, and how many more there are."""
    wrong = [equation for equation in given if equation.error is not None]
    yield from (equation.message() for equation in wrong[:LISTED])
    if len(wrong) > LISTED:
        yield f"and {len(wrong) - LISTED:,} more equations that cannot be read"


def _read(where: str, text: str) -> GivenEquation:
    try:
        return GivenEquation(where, text, _parse_equation(text))
    except ParseError as error:
        return GivenEquation(where, text, error)


def _read_table(file: Path) -> list[GivenEquation]:
    """Return the equations of a table, whose column is found as for an import; labels are not read."""
    from treesmu.importing.readers import open_source  # loads pyarrow
    from treesmu.importing.settings import ImportSettings
    from treesmu.importing.sources import find_sources

    (source,) = find_sources([file])
    opened = open_source(source, ImportSettings())
    return [_read_row(f"{file}, {opened.unit} {row.line}", row) for row in opened.rows]


def _read_row(where: str, row: SourceRow) -> GivenEquation:
    try:
        text = str(from_prefix(row.text.split())) if row.is_prefix and not row.fault else row.text
    except ValueError as error:
        return GivenEquation(where, row.text, ParseError(str(error), row.text, 0))
    return GivenEquation(where, text, ParseError(row.fault, text, 0)) if row.fault else _read(where, text)


def _parse_equation(text: str) -> Expr:
    e = parse(text)
    if not e.is_equation:
        raise ParseError("expected '=' (this is an expression, not an equation) at the end", text, len(text))
    if e.has_blank:
        blank = next(token.start for token in tokenize(text) if token.kind == "blank")
        raise ParseError("there is a blank: only a complete equation can be checked", text, blank)
    return e
