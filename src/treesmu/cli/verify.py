"""treesmu verify: is an equation true? What the numbers say, and beside it what a model says."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treesmu import SHIPPED
from treesmu.expr import Expr, ParseError, Verdict, check_many, parse

from .terminal.options import AsJson, InputError, read_model

if TYPE_CHECKING:
    from treesmu.models.model import Model

NUMERIC = f"{'numeric':10} "
HEADER = f"{NUMERIC}{'model':10} {'P(correct)':>10}  "
WIDEST = 60  # of the column of equations; reasons of longer ones are out of line


def verify(
    equations: Annotated[list[str] | None, typer.Argument(help='Equations, such as "sin(x)^2 + cos(x)^2 = 1".')] = None,
    file: Annotated[str | None, typer.Option(help="A file with one equation a line ('-': standard input).")] = None,
    model: Annotated[
        Path | None, typer.Option(help="A run folder, or a file of weights (.safetensors); else the model of this package.")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="The numeric check alone, which is quick.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Chooses the points of the numeric check.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Is an equation true? The numeric check computes both sides: correct, incorrect, or undecided (equal on one part of the
    real line only). The model gives the probability that it is correct, from how the equation is written."""
    if no_model and model is not None:
        raise InputError("--model and --no-model: give one of them")
    parsed = _read_all(equations or [], file)
    asked = None if no_model else _model(model)
    opinions = [ModelVerdict()] * len(parsed) if asked is None else _opinions(asked, parsed)
    answers = list(map(VerifiedEquation, map(str, parsed), check_many(parsed, seed), opinions))
    if as_json:
        print(json.dumps([answer.row() for answer in answers], indent=2))
        return
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines(answers, asked is not None, columns):
        print(line)


# -- equations ---------------------------------------------------------------------------------------------------------


def _read_all(texts: list[str], file: str | None) -> list[Expr]:
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
        raise ParseError("there is a blank: only a complete equation can be checked", text, text.index("_"))
    return e


def _read_file(file: str) -> list[Expr]:
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


# -- answers -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """What a model says of an equation; nothing, where there is no model."""

    probability: float | None = None  # that it is correct
    reason: str | None = None  # why a model says nothing

    @property
    def label(self) -> str | None:
        return None if self.probability is None else "correct" if self.probability >= 0.5 else "incorrect"


@dataclass(frozen=True, slots=True)
class VerifiedEquation:
    """All that there is to say of an equation."""

    equation: str
    verdict: Verdict
    opinion: ModelVerdict

    def row(self) -> dict[str, Any]:
        """For JSON, which has no infinity."""
        row = {"equation": self.equation, **asdict(self.verdict)}
        if self.verdict.sides is not None:
            row["sides"] = [side if isfinite(side) else str(side) for side in self.verdict.sides]
        opinion = self.opinion
        return row | {"probability": opinion.probability, "model": opinion.label, "model_reason": opinion.reason}

    def explanation(self) -> str:
        reason = _explain(self.verdict)
        return reason if self.opinion.reason is None else f"{reason}; no probability: {self.opinion.reason}"


def _model(path: Path | None) -> Model | None:
    """The model to ask. That a package comes without one is no error: the numeric check is there."""
    if path is None and not SHIPPED.exists():
        hint = "this treesmu comes without a trained model: name one by --model, or leave it out by --no-model"
        print(f"treesmu: the numeric check alone; {hint}", file=sys.stderr)
        return None
    return read_model(path)


def _opinions(model: Model, equations: list[Expr]) -> list[ModelVerdict]:
    """One for each equation, all those that the model can read in one call."""
    refused = model.unreadable(equations)
    readable = [e for i, e in enumerate(equations) if i not in refused]
    found = iter(model.verify(readable).tolist() if readable else [])
    return [ModelVerdict(None, refused[i]) if i in refused else _opinion(next(found)) for i in range(len(equations))]


def _opinion(probability: float) -> ModelVerdict:
    return ModelVerdict(None, "the model's values are too large") if isnan(probability) else ModelVerdict(probability)


# -- as text -----------------------------------------------------------------------------------------------------------


def lines(answers: list[VerifiedEquation], has_model: bool, columns: int | None) -> Iterator[str]:
    """A line an equation, for files and other programs; on a screen of so many columns what does not fit goes below."""
    offset = len(HEADER) if has_model else len(NUMERIC)
    room = WIDEST if columns is None else min(WIDEST, max(20, columns - offset - len("  equal at 24 points")))
    width = min(room, max(len(answer.equation) for answer in answers))
    if has_model:
        width = max(width, len("equation"))
        yield f"{HEADER}{'equation':{width}}  reason"
    for answer in answers:
        start = f"{answer.verdict.label:{len(NUMERIC)}}" + (_columns_of_model(answer.opinion) if has_model else "")
        line = f"{start}{answer.equation:{width}}  {answer.explanation()}"
        if columns is None or (len(line) <= columns and len(answer.equation) <= width):
            yield line
        else:
            yield from _folded(start, answer, max(20, columns - offset))


def _columns_of_model(opinion: ModelVerdict) -> str:
    percent = "-" if opinion.probability is None else f"{opinion.probability:.1%}"
    return f"{opinion.label or '-':10} {percent:>10}  "


def _folded(start: str, answer: VerifiedEquation, room: int) -> Iterator[str]:
    """The equation, and below it the reason, further to the right: both in the column of equations."""
    indented = textwrap.wrap(answer.explanation(), room, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    for line in (*textwrap.wrap(answer.equation, room, break_on_hyphens=False), *indented):
        yield start + line
        start = " " * len(start)


def _explain(verdict: Verdict) -> str:
    if verdict.counterexample is None or verdict.sides is None:
        return verdict.reason
    place = ", ".join(f"{name} = {value:g}" for name, value in verdict.counterexample.items())
    left, right = (f"{side:.6g}" for side in verdict.sides)
    sides = f"left {left}, right {right}" + (" (they differ in later digits)" if left == right else "")
    return f"{verdict.reason}{f'; at {place}' if place else ''}: {sides}"
