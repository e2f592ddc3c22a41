"""Equations that a user gives: as arguments, in a file with one per line, or on standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treesmu.expr import Expr, ParseError, parse
from treesmu.expr.notation.tokens import tokenize
from treesmu.files import content_lines, read_text

from .options import InputError

LISTED = 20  # bad equations


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
    if file is not None:
        content = _read_standard_input() if file == "-" else read_text(Path(file))
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


def _parse_equation(text: str) -> Expr:
    e = parse(text)
    if not e.is_equation:
        raise ParseError("expected '=' (this is an expression, not an equation) at the end", text, len(text))
    if e.has_blank:
        blank = next(token.start for token in tokenize(text) if token.kind == "blank")
        raise ParseError("there is a blank: only a complete equation can be checked", text, blank)
    return e


def _read_standard_input() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input: byte {error.start} is not UTF-8 text; save it as UTF-8") from None
