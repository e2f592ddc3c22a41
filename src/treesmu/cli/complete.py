"""treesmu complete: what may stand in the blank of an equation? A model proposes, the numbers dispose."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treesmu.data.corpus.blanks import Candidates, place_of_blank
from treesmu.expr import Expr, parse

from .terminal.options import AsJson, InputError, read_model

if TYPE_CHECKING:
    from treesmu.models.completion.completions import Completion

MARKS = {"correct": "✓", "incorrect": "✗", "undecided": "?"}
PLAIN_MARKS = {"correct": "yes", "incorrect": "no", "undecided": "?"}  # where a screen has no such signs
NAMED = 3  # fillers of equal value


def complete(
    equation: Annotated[str, typer.Argument(help='An equation with one blank, such as "sin(x)^2 + _ = 1".')],
    top: Annotated[int, typer.Option(min=1, help="How many answers.")] = 5,
    model: Annotated[
        Path | None, typer.Option(help="A run folder, or a file of weights (.safetensors); else the model of this package.")
    ] = None,
    verified: Annotated[bool, typer.Option("--verified", help="Only answers with which the equation holds.")] = False,
    height: Annotated[int | None, typer.Option(min=0, max=2, help="Of answers: 0 leaves, 1 (default), 2 by a beam.")] = None,
    any_variable: Annotated[bool, typer.Option("--any-variable", help="Not only the variables of the equation.")] = False,
    all_leaves: Annotated[bool, typer.Option("--all-leaves", help="All numbers that the model knows, also rare ones.")] = False,
    candidates: Annotated[
        Path | None,
        typer.Option(help="Choose from these: a file with one expression a line, a Parquet or the authors' JSON file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The best answers to an equation with a blank, ranked by a model, each marked by the numeric check."""
    question = parse(equation)
    place_of_blank(question)
    options: dict[str, Any] = {"verified": verified}
    if candidates is None:
        options |= {"height": 1 if height is None else height, "any_variable": any_variable, "all_leaves": all_leaves}
    elif height is not None or any_variable or all_leaves:
        raise InputError(
            "--height, --any-variable and --all-leaves choose from the vocabulary; leave them out with --candidates"
        )
    else:
        options["candidates"] = Candidates.read(candidates).fillers
    asked = read_model(model)
    from treesmu.models.completion.completions import SEARCH
    from treesmu.models.completion.completions import complete as answer

    found = answer(asked, question, top, **options)
    if as_json:
        print(json.dumps({"question": str(question), "model": asked.name, "answers": rows(found)}, indent=2))
    elif found:
        print(table(found))
    if not found:
        hint = "" if candidates is not None or height == 2 else "; try a greater --height"
        print(f"treesmu: no filler among the first {SEARCH:,} makes the equation hold{hint}", file=sys.stderr)
        raise typer.Exit(1)


def rows(answers: list[Completion]) -> list[dict[str, Any]]:
    """For JSON."""
    return [
        {
            "rank": rank,
            "filler": str(a.filler),
            "equation": str(a.filled),
            "logit": a.logit,
            "probability": a.probability,
            "numeric": a.verdict.label,
            "points": a.verdict.points,
            "counterexample": a.verdict.counterexample,
            "equal": [str(e) for e in a.equal],
        }
        for rank, a in enumerate(answers, 1)
    ]


def table(answers: list[Completion]) -> str:
    """A line an answer; fillers of the same value are named at its end."""
    marks = MARKS if _can_show(MARKS) else PLAIN_MARKS
    fillers, equations = [str(a.filler) for a in answers], [str(a.filled) for a in answers]
    wide, wider = max(6, *map(len, fillers)), max(8, *map(len, equations))
    lines = [f"rank  {'filler':{wide}}  P(correct)  numeric  {'equation':{wider}}".rstrip()]
    for rank, (a, filler, text) in enumerate(zip(answers, fillers, equations, strict=True), 1):
        percent = f"{100 * a.probability:.1f}%"
        line = f"{rank:4}  {filler:{wide}}  {percent:>10}  {marks[a.verdict.label]:7}  {text:{wider}}  {_others(a.equal)}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def _others(equal: tuple[Expr, ...]) -> str:
    """The simplest first."""
    named = [str(e) for e in sorted(equal, key=lambda e: e.size)[:NAMED]]
    more = f" and {len(equal) - NAMED} more" if len(equal) > NAMED else ""
    return f"or {', '.join(named)}{more}" if named else ""


def _can_show(marks: dict[str, str]) -> bool:
    try:
        "".join(marks.values()).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
