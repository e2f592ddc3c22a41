"""The command ``treesmu verify``: is an equation correct, by the numeric check and by a model?"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treesmu.shipped import SHIPPED

from .tables.verdicts import ModelVerdict, VerifiedEquation, table_lines, unread_record
from .terminal.messages import print_text, say
from .terminal.options import AsJson, Device, InputError, ModelFile, Plugins, load_plugins, read_model
from .terminal.untrained import warn_of_untrained

if TYPE_CHECKING:
    from treesmu.expr import Expr
    from treesmu.models.model import Model


def verify(
    equations: Annotated[
        list[str] | None, typer.Argument(metavar="EQUATION", help='Equations, such as "sin(x)^2 + cos(x)^2 = 1".')
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A file with one equation per line, or a table with a column of them; - is standard input."
        ),
    ] = None,
    model: ModelFile = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Only the numeric check, which is fast.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the points of the numeric check.")] = 0,
    device: Device = "cpu",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Check whether equations are correct.

    The numeric check computes both sides at many points and decides: correct, incorrect, or undecided (for example if the
    sides are equal on a part of the real line only). The model computes no values; it only
    reads the equation and gives the probability that it is correct. Equations may be written as on a calculator or in LaTeX.
    One that cannot be read does not stop the others: it is named at the end, and the exit code is 2.

    \b
    Examples:
      treesmu verify "sin(2x) = 2 sin(x) cos(x)" "\\sqrt{x^2} = x"
      treesmu verify --file equations.txt --model runs/first --json
    """
    load_plugins(plugin)
    if no_model and model is not None:
        raise InputError("--model and --no-model: give one of them")
    from treesmu.expr import check_many
    from treesmu.expr.numeric.log_bases import note_on_logarithms

    from .terminal.equations import list_errors, read_equations

    given = read_equations(equations or [], file)
    parsed = [equation.tree for equation in given if equation.tree is not None]
    loaded = None if no_model or not parsed else _load(model, device)
    by_model = [ModelVerdict()] * len(parsed) if loaded is None else _ask_model(loaded, parsed)
    verdicts = map(note_on_logarithms, parsed, check_many(parsed, seed))
    verified = list(map(VerifiedEquation, map(str, parsed), verdicts, by_model))
    if as_json:
        answers = iter(verified)
        records = [next(answers).record() if e.error is None else unread_record(e.text, e.where, e.error) for e in given]
        print(json.dumps(records, indent=2))
    elif verified:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        print_text("\n".join(table_lines(verified, loaded is not None, columns)))
    for message in list_errors(given):
        say(message)
    if len(parsed) < len(given):
        raise typer.Exit(2)


def _load(path: Path | None, device: str) -> Model | None:
    """Return the model; None and a hint if treesmu was installed without one, since the numeric check needs none."""
    if path is None and not SHIPPED.exists():
        hint = "this installation has no trained model: choose one with --model, or use --no-model"
        say(f"only the numeric check; {hint}")
        return None
    return read_model(path, device)


def _ask_model(model: Model, equations: list[Expr]) -> list[ModelVerdict]:
    """Return the model's verdict on each equation; those that it can read are computed in one call."""
    reasons, untrained = model.unreadable(equations), model.untrained(equations)
    warn_of_untrained(untrained, "equation")
    readable = [e for i, e in enumerate(equations) if i not in reasons]
    probabilities = iter(model.verify(readable).tolist() if readable else [])
    return [
        ModelVerdict(None, reasons[i])
        if i in reasons
        else ModelVerdict.from_probability(next(probabilities), None if untrained is None else untrained[i])
        for i in range(len(equations))
    ]
