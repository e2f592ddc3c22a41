"""Where the weights are that are shipped with treesmu, by name. Does not import PyTorch."""

from __future__ import annotations

import os
from pathlib import Path

SUFFIX = ".safetensors"
SHIPPED = Path(__file__).parent / "models" / "shipped" / f"tree-smu{SUFFIX}"  # the default


def shipped_models(folder: Path | None = None) -> dict[str, Path]:
    """Return the files of the shipped models by name, the default first. folder: another folder than that of the package."""
    files = (SHIPPED.parent if folder is None else folder).glob(f"*{SUFFIX}")
    return {path.stem: path for path in sorted(files, key=lambda file: (file.name != SHIPPED.name, file.name))}


def find_shipped(name: str | os.PathLike[str]) -> Path | None:
    """Return the file of the shipped model of this name, or None: there is none, or a file or folder has that name."""
    return None if Path(name).exists() else shipped_models().get(os.fspath(name))


def names_of_shipped() -> str:
    """Return the names of the shipped models as a list to read: "tree-smu or tree-lstm"."""
    return " or ".join(shipped_models()) or "none"
