"""treesmu import-weights: the authors' released weights into ours."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .terminal.options import AsJson, InputError

if TYPE_CHECKING:
    from treesmu.models.released_weights import ImportSummary


def import_weights(
    checkpoint: Annotated[Path, typer.Argument(help="A file of the paper's authors, *-model-*.checkpoint.")],
    out: Annotated[Path, typer.Argument(help="The new file, .safetensors.")],
    as_json: AsJson = False,
) -> None:
    """Convert weights that the paper's authors have released (Tree-RNN, Tree-LSTM, Tree-SMU). No code in them is run."""
    if out.suffix != ".safetensors":
        raise InputError(f"{out}: weights are stored as .safetensors; choose a name that ends so")
    if out.exists():
        raise InputError(f"{out} exists already; choose another name, or remove it first")
    from treesmu.models.released_weights import import_weights as read
    from treesmu.models.store import save

    model, found = read(checkpoint)
    save(model, out)
    if as_json:
        print(json.dumps({**asdict(found), "file": str(out)}, indent=2))
        return
    print(_text(found))
    print(f"-> {out}")
    print(f"""next: python -c "import treesmu; print(treesmu.load({str(out)!r}).verify(['sin(x)^2 + cos(x)^2 = 1']))\"""")


def _text(found: ImportSummary) -> str:
    sizes = f"{len(found.functions)} functions, {len(found.leaves)} leaves, {found.parameters:,} parameters"
    lines = [f"{found.model}  n={found.hidden}  {sizes}", f"settings   {_pairs(found.settings)}"]
    if found.assumed:
        lines.append(f"assumed    {_pairs(found.assumed)} (no file says so; they are as in the authors' code)")
    lines.append(f"not used   {', '.join(found.unused)}")
    return "\n".join(lines)


def _pairs(settings: dict[str, object]) -> str:
    return ", ".join(
        f"{name} {value if not isinstance(value, bool) else 'on' if value else 'off'}" for name, value in settings.items()
    )
