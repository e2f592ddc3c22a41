"""Small models in files, which tests damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
from torch import Tensor

from treesmu.data import DataError, Vocab
from treesmu.models.build import build
from treesmu.models.model import Model
from treesmu.models.store import load

SMALL = Vocab(("sin", "Add"), (1, 2), ("x", "1"), "Equality", numbers=True)


def tiny(name: str = "tree-smu", **settings: Any) -> Model:
    return build(name, SMALL, {"hidden": 3, **settings})


def metadata_of(file: Path) -> dict[str, Any]:
    with safetensors.safe_open(file, "pt") as opened:
        return dict(json.loads(opened.metadata()["treesmu"]))


def rewrite(file: Path, change: Callable[[dict[str, Any], dict[str, Tensor]], object]) -> None:
    """Change the metadata or weights of a file, which has no checksum then, as one of an older version."""
    metadata, weights = metadata_of(file), safetensors.torch.load_file(file)
    metadata.pop("sha256", None)
    change(metadata, weights)
    file.write_bytes(safetensors.torch.save(weights, {"treesmu": json.dumps(metadata)}))


def message_of(file: Path, read: Callable[[Path], object] = load) -> str:
    """Return the message with which a file is refused, without the file's name."""
    with pytest.raises(DataError) as caught:
        read(file)
    text = str(caught.value)
    assert text.startswith(f"{file}: ")
    assert "\n" not in text
    return text.removeprefix(f"{file}: ")


def assert_loads_or_is_refused(file: Path) -> None:
    """Assert that a file loads, or that an error of one line names it."""
    try:
        load(file)
        message = f"{file}: "
    except DataError as error:
        message = str(error)
    assert message.startswith(f"{file}: ")
    assert "\n" not in message
