"""Equations that a user gives: as arguments, in a file with one per line, or on standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from treesmu.expr import Expr, ParseError, parse
from treesmu.expr.notation.tokens import tokenize
from treesmu.files import content_lines, read_text

from .options import InputError


def read_equations(texts: list[str], file: str | None) -> list[Expr]:
    """Return the equations of the arguments, then those of a file; raise an error if there is none."""
    parsed = [_parse_equation(text) for text in texts]
    if file is not None:
        parsed += _read_file(file)
    if not parsed:
        where = "no equation given" if file is None else f"{file}: there is no equation in it"
        raise InputError(f'{where}; try: treesmu verify "sin(x)^2 + cos(x)^2 = 1"')
    return parsed


def _parse_equation(text: str) -> Expr:
    e = parse(text)
    if not e.is_equation:
        raise ParseError("expected '=' (this is an expression, not an equation) at the end", text, len(text))
    if e.has_blank:
        blank = next(token.start for token in tokenize(text) if token.kind == "blank")
        raise ParseError("there is a blank: only a complete equation can be checked", text, blank)
    return e


def _read_file(file: str) -> list[Expr]:
    """Return the equations of a file, one per line; empty lines and lines that begin with # are skipped."""
    equations: list[Expr] = []
    for number, line in content_lines(_read_standard_input() if file == "-" else read_text(Path(file))):
        try:
            equations.append(_parse_equation(line))
        except ParseError as error:
            raise InputError(f"{file}, line {number}: {error}") from None
    return equations


def _read_standard_input() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InputError(f"standard input: byte {error.start} is not UTF-8 text; save it as UTF-8") from None
