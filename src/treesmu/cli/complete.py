"""The command ``treesmu complete``: a model ranks fillers of a blank, and the numeric check marks them."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer

from .tables import completions as output
from .terminal.imports import read_candidates
from .terminal.messages import print_text, say
from .terminal.options import AsJson, Device, InputError, ModelFile, Plugins, load_plugins, read_model
from .terminal.untrained import untrained_symbols, warn_of_untrained

OWN_LIST = "give fillers of your own with --candidates FILE"


def complete(
    equation: Annotated[str, typer.Argument(help='An equation with one blank, such as "sin(x)^2 + _ = 1".')],
    top: Annotated[int, typer.Option(metavar="N", min=1, help="How many completions to print, of each kind.")] = 5,
    model: ModelFile = None,
    verified: Annotated[bool, typer.Option("--verified", help="Only fillers that make the equation correct.")] = False,
    height: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=2,
            help="Height of the fillers: 0 leaves, 1 one function, 2 by a beam search; by default 1, and 2 for the search.",
        ),
    ] = None,
    any_variable: Annotated[
        bool, typer.Option("--any-variable", help="Use all variables that the model knows, not only those of the equation.")
    ] = False,
    all_leaves: Annotated[
        bool, typer.Option("--all-leaves", help="Use all numbers that the model knows, not only common ones.")
    ] = False,
    no_search: Annotated[
        bool, typer.Option("--no-search", help="Only the model's candidates: no search by value if none of them is correct.")
    ] = False,
    no_prior: Annotated[
        bool, typer.Option("--no-prior", help="Rank by the logit alone, not by how common a value is in training.")
    ] = False,
    candidates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Rank these fillers: a text file with one expression per line, a Parquet or the authors' JSON file.",
        ),
    ] = None,
    device: Device = "cpu",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Fill the blank of an equation.

    A model ranks the fillers, and the numeric check marks whether the completed equation is correct. Fillers of equal
    value share a line. If none of the printed ones is correct, fillers of height 2 or less are searched by their values; they
    are added where the model ranks them, marked "found by search".

    \b
    Examples:
      treesmu complete "sin(x)^2 + _ = 1"
      treesmu complete "1 + tan(x)^2 = _^2" --verified --top 3
    """
    from treesmu.data.corpus.blanks import path_of_blank
    from treesmu.expr import parse

    load_plugins(plugin)
    question = parse(equation)
    path_of_blank(question)
    options: dict[str, Any] = {"verified": verified, "search": not no_search, "prior": not no_prior}
    if candidates is None:
        options |= {"height": height, "any_variable": any_variable, "all_leaves": all_leaves}
    elif height is not None or any_variable or all_leaves:
        raise InputError(
            "--height, --any-variable and --all-leaves choose from the vocabulary; leave them out with --candidates"
        )
    else:
        options |= {"candidates": read_candidates(candidates).fillers, "search": False}
    loaded = read_model(model, device)
    from treesmu.models.completion import completions

    found = completions.complete(loaded, question, top, **options)
    if any(isnan(completion.logit) for completion in found):
        raise InputError("the model's values are not finite; train it again with a lower learning rate")
    untrained = loaded.untrained([completion.filled for completion in found])
    warn_of_untrained(untrained, "completed equation")
    if as_json:
        facts = {"question": str(question), "model": loaded.name, "untrained": untrained_symbols(untrained)}
        print(json.dumps(facts | {"answers": output.records(found)}, indent=2))
    elif found:
        print_text(output.table(found))
    if not any(completion.verdict.label == "correct" for completion in found) and (verified or options["search"]):
        say(_nothing_found(options))
    if not found:
        raise typer.Exit(1)


def _nothing_found(options: dict[str, Any]) -> str:
    """Return what was tried without finding a correct filler, and what to try next."""
    from treesmu.models.completion.completions import SEARCH

    height = options.get("height", -1)
    hint = {0: "; try --height 1", 1: "; try --height 2", -1: ""}.get(height, f"; {OWN_LIST}")
    if options["search"]:
        return f"no filler of height {2 if height is None else height} or less makes the equation correct{hint}"
    hint = "; try it without --no-search" if height is None else hint
    return f"none of the first {SEARCH:,} fillers makes the equation correct{hint}"
