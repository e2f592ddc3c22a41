"""What the commands share: the error for bad input, how settings, ranges of depths and times are written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from treesmu.models.model import Model

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Engine = Annotated[str, typer.Option(help="Where the work is done: local or ray.")]
Address = Annotated[str | None, typer.Option(help="Of a Ray cluster, with --engine ray; it has room for a job a core.")]


class InputError(Exception):
    """Something a person gave us is wrong; the message names what, where and the remedy."""


def check_engine(engine: str, address: str | None) -> None:
    if engine not in ("local", "ray"):
        raise InputError(f"unknown engine {engine!r}; known: local, ray")
    if address is not None and engine != "ray":
        raise InputError("--address is that of a Ray cluster: add --engine ray")


def depth_range(text: str | None) -> tuple[int, int] | None:
    """A-B as two numbers."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", text)
    if not found or int(found.group(1)) > int(found.group(2) or found.group(1)):
        raise InputError(f"depths {text!r}: expected A-B with A <= B, such as 1-7")
    return int(found.group(1)), int(found.group(2) or found.group(1))


def pairs(given: list[str]) -> dict[str, Any]:
    """NAME=VALUE as settings; values are JSON where they can be, else text."""
    found: dict[str, Any] = {}
    for pair in given:
        name, is_there, text = pair.partition("=")
        if not is_there or not name or name == "cell":
            raise InputError(f"--set {pair!r}: expected NAME=VALUE, such as head=distance or cell.stack=5")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        if name.startswith("cell."):
            found.setdefault("cell", {})[name.removeprefix("cell.")] = value
        else:
            found[name] = value
    return found


def clock(seconds: float) -> str:
    """As 0:42, 12:05 or 3:20:00."""
    hours, minutes = divmod(round(seconds) // 60, 60)
    return f"{hours}:{minutes:02d}:{round(seconds) % 60:02d}" if hours else f"{minutes}:{round(seconds) % 60:02d}"


def read_model(path: Path | None, dtype: str | None = None) -> Model:
    """Of a run folder or a file, else the one of this package. dtype: of the weights, else as they are stored."""
    import torch  # takes a second to load: only now

    from treesmu.models.store import load

    torch.set_num_threads(1)  # as in training: the fastest for small models, by far where other processes are at work
    file = path / "model.safetensors" if path is not None and path.is_dir() else path
    return load(file, None if dtype is None else getattr(torch, dtype))
