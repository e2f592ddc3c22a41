"""The command ``treesmu import-weights``: convert the authors' released weights."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .terminal.messages import print_text
from .terminal.options import AsJson, InputError

if TYPE_CHECKING:
    from treesmu.models.released_weights import ImportSummary


def import_weights(
    checkpoint: Annotated[Path, typer.Argument(help="A file of the paper's authors, *-model-*.checkpoint.")],
    out: Annotated[Path, typer.Argument(help="The new file, .safetensors.")],
    as_json: AsJson = False,
) -> None:
    """Convert the weights that the paper's authors released.

    Tree-RNN, Tree-LSTM and Tree-SMU can be converted. No code in the checkpoint is executed.

    \b
    Examples:
      treesmu import-weights Tree-SMU-model-1.checkpoint tree-smu.safetensors
    """
    if out.suffix != ".safetensors":
        raise InputError(f"{out}: weights are stored as .safetensors; choose a name with this suffix")
    if out.exists():
        raise InputError(f"{out} exists already; choose another name, or remove it first")
    from treesmu.models.released_weights import import_weights as read
    from treesmu.models.store import save

    model, summary = read(checkpoint)
    save(model, out)
    if as_json:
        print(json.dumps({**asdict(summary), "file": str(out)}, indent=2))
        return
    print_text(_text(summary))
    print_text(f"-> {out}")
    print_text(f'next: treesmu verify "sin(x)^2 + cos(x)^2 = 1" --model {shlex.quote(str(out))}')


def _text(summary: ImportSummary) -> str:
    sizes = f"{len(summary.functions)} functions, {len(summary.leaves)} leaves, {summary.parameters:,} parameters"
    lines = [f"{summary.model}  n={summary.hidden}  {sizes}", f"settings   {_join(summary.settings)}"]
    if summary.assumed:
        lines.append(f"assumed    {_join(summary.assumed)} (not in the file; taken from the authors' code)")
    lines.append(f"not used   {', '.join(summary.unused)}")
    return "\n".join(lines)


def _join(settings: dict[str, object]) -> str:
    return ", ".join(
        f"{name} {value if not isinstance(value, bool) else 'on' if value else 'off'}" for name, value in settings.items()
    )
