"""Catalogue: which models the service has. A request names one; the name is looked up and never becomes part of a path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from treesmu.errors import DataError
from treesmu.shipped import SHIPPED, SUFFIX, shipped_models

from .refusal import Refusal

RUN_FILE = f"model{SUFFIX}"


@dataclass(frozen=True)
class ModelFile:
    """A file of weights."""

    path: Path
    is_shipped: bool


def find_models(folder: Path | None = None, shipped: Path = SHIPPED.parent) -> dict[str, ModelFile]:
    """Return the files of weights by name, the default first: the shipped ones, then those of a folder.

    Of the folder: its .safetensors files, the run folders in it, or the run that it is itself. Raises a DataError if there
    is none.
    """
    found = {name: ModelFile(path, True) for name, path in shipped_models(shipped).items()}
    for name, path in _models_of(folder).items() if folder is not None else ():
        found[_free_name(name, found)] = ModelFile(path, False)
    if not found:
        raise DataError("this installation has no trained model; give a folder of models: --models FOLDER")
    return found


def _models_of(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no such folder; --models takes a folder of models or of runs")
    if (folder / RUN_FILE).is_file():  # a run, whose other file, last.safetensors, is for going on with the training
        return {folder.resolve().name: folder / RUN_FILE}
    files = {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    runs = {path.parent.name: path for path in sorted(folder.glob(f"*/{RUN_FILE}"))}
    if not files and not runs:
        raise DataError(f"{folder}: no models in it: neither {SUFFIX} files nor run folders of treesmu train")
    return files | {_free_name(name, files): path for name, path in runs.items()}


def _free_name(name: str, taken: dict[str, Path] | dict[str, ModelFile]) -> str:
    """Return the name, with a number if it is taken."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free


def chosen_name(name: str | None, models: dict[str, ModelFile]) -> str:
    """Return the name of the model that a request chooses, by default the first."""
    if name is None:
        return next(iter(models))
    if name not in models:
        raise Refusal(404, "there is no model of this name", f"choose one of: {', '.join(models)}")
    return name
