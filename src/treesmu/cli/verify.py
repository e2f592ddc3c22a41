"""treesmu verify: is an equation true?"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from ..expr import Expr, ParseError, Verdict, check_many, parse
from .shared import AsJson, InputError


def verify(
    equations: Annotated[list[str] | None, typer.Argument(help='Equations, such as "sin(x)^2 + cos(x)^2 = 1".')] = None,
    file: Annotated[str | None, typer.Option(help="A file with one equation a line ('-': standard input).")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Chooses the points of the numeric check.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check equations numerically: correct, incorrect, or undecided (equal on one part of the real line only)."""
    parsed = [_parse_equation(text) for text in equations or []]
    if file is not None:
        parsed += _read_equations(file)
    if not parsed:
        raise InputError('no equation given; try: treesmu verify "sin(x)^2 + cos(x)^2 = 1"')
    verdicts = check_many(parsed, seed)
    if as_json:
        print(json.dumps([_verdict_row(e, v) for e, v in zip(parsed, verdicts, strict=True)], indent=2))
        return
    width = min(60, max(len(str(e)) for e in parsed))
    for e, verdict in zip(parsed, verdicts, strict=True):
        print(f"{verdict.label:10} {e!s:{width}}  {_explain(verdict)}")


def _parse_equation(text: str) -> Expr:
    e = parse(text)
    if not e.is_equation:
        raise ParseError("expected '=' (this is an expression, not an equation) at the end", text, len(text))
    if e.has_blank:
        raise ParseError("there is a blank: only a complete equation can be checked", text, text.index("_"))
    return e


def _read_equations(file: str) -> list[Expr]:
    """One equation a line; empty lines and lines that begin with # are skipped."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {file}: byte {error.start} is not UTF-8 text") from None
    found: list[Expr] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(_parse_equation(line))
            except ParseError as error:
                raise InputError(f"{file}, line {number}: {error}") from None
    return found


def _verdict_row(e: Expr, verdict: Verdict) -> dict[str, Any]:
    row = {"equation": str(e), **asdict(verdict)}
    if verdict.sides is not None:  # JSON has no infinity
        row["sides"] = [side if isfinite(side) else str(side) for side in verdict.sides]
    return row


def _explain(verdict: Verdict) -> str:
    if verdict.counterexample is None or verdict.sides is None:
        return verdict.reason
    place = ", ".join(f"{name} = {value:g}" for name, value in verdict.counterexample.items())
    left, right = (f"{side:.6g}" for side in verdict.sides)
    sides = f"left {left}, right {right}" + (" (they differ in later digits)" if left == right else "")
    return f"{verdict.reason}{f'; at {place}' if place else ''}: {sides}"
