"""Start training from the weights of a file instead of random ones: to go on with other data, or to adapt a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treesmu.data import DataError
from treesmu.models.model import Model
from treesmu.models.store import load

_SAME = ("name", "settings", "head", "norm")  # of both models; the number of points changes no weight


def settings_of_file(name: Any) -> dict[str, Any]:
    """Return the settings of training that say which model a file holds: model, cell, head, norm and points.

    name: the setting ``start_from``, which is not checked yet.
    """
    if not isinstance(name, str | Path):
        raise DataError(f"setting start_from: expected the name of a file of weights, not {type(name).__name__}")
    path = Path(name)
    made = _made(path, load(path))
    return {
        "model": made["name"],
        "cell": made["settings"],
        "head": made["head"],
        "norm": made["norm"],
        "points": made["points"],
    }


def copy_weights(model: Model, path: Path) -> None:
    """Give a model the weights of a file, and the symbols for which these are trained. Another kind of model is a DataError."""
    started = load(path)
    ours, theirs = model.build_arguments or {}, _made(path, started)
    for name in _SAME:
        if ours[name] != theirs[name]:
            raise DataError(
                f"{path}: a model with {name} {theirs[name]}, not {ours[name]}; leave the settings of the model to the file"
            )
    if started.vocab.to_dict() != model.vocab.to_dict():
        raise DataError(f"{path}: a model with other functions or leaves than those of the corpus; train a new one")
    model.load_state_dict({name: weight.float() for name, weight in started.state_dict().items()})
    model.trained = started.trained


def _made(path: Path, model: Model) -> dict[str, Any]:
    if model.name == "majority" or not model.build_arguments:
        raise DataError(f"{path}: a model without weights that could be trained further")
    return model.build_arguments
