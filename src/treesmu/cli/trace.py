"""The command ``treesmu trace``: what a tree model computes at every node of an equation."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .terminal.messages import print_text
from .terminal.options import AsJson, Device, InputError, ModelFile, Plugins, load_plugins, read_model
from .terminal.untrained import warn_of_untrained

if TYPE_CHECKING:
    from treesmu.trace import Trace


def trace(
    equation: Annotated[
        str, typer.Argument(metavar="EQUATION", help='An equation or an expression, such as "sin(x)^2 + cos(x)^2 = 1".')
    ],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a file instead: .svg, .html or .json.")] = None,
    model: ModelFile = None,
    device: Device = "cpu",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Show what a tree model computes at every node.

    The tree is drawn with the stack of each node, how far it pushes, leaves alone (no-op) and pops, and the norm of its state.
    A sub-expression that occurs twice is drawn twice, where it stands.

    \b
    Examples:
      treesmu trace "sin(x)^2 + cos(x)^2 = 1"
      treesmu trace "tan(x) = sin(x)/cos(x)" --out tree.svg
    """
    load_plugins(plugin)
    from treesmu.expr import parse
    from treesmu.trace.as_json import json_text
    from treesmu.trace.trace import checked_kind

    if out is not None:
        checked_kind(out)
    expression = parse(equation)
    found = read_model(model, device).trace(expression)
    if not found.is_finite:
        raise InputError("the model's values are not finite; train it again with a lower learning rate")
    warn_of_untrained(None if found.untrained is None else [found.untrained], "expression")
    if out is not None:
        found.save(out)
    if as_json:
        print(json_text(found), end="")
    elif out is None:
        print(_drawing(found))
    else:
        print_text(f"{len(found)} nodes -> {out}")


def _drawing(found: Trace) -> str:
    """Return the drawing for standard output: as wide as the terminal, in characters that it has; no colours in a pipe."""
    from treesmu.trace.glyphs import has_blocks

    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    colour = is_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return found.text(width, ascii_only=not has_blocks(sys.stdout.encoding), colour=colour)
