"""Shipped models by name: loaded, verified, completed, traced, compared by the explorer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import treesmu
from explorer import save_readers_of_numbers
from treesmu import shipped
from treesmu.errors import DataError
from treesmu.models.store import load, save
from treesmu.web.catalogue import find_models

NAMES = ["tree-smu", "tree-lstm"]
EQUATION = "sin(x)^2 + cos(x)^2 = 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two small models in 16 bits in place of the shipped ones."""
    save_readers_of_numbers(tmp_path)
    for name in NAMES:
        save(load(tmp_path / f"{name}.safetensors").half(), tmp_path / f"{name}.safetensors")
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "tree-smu.safetensors")
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_model_does_everything_by_its_name(name: str, folder: Path) -> None:
    model, same = treesmu.load(name), load(folder / f"{name}.safetensors", torch.float32)
    assert (model.name, next(model.parameters()).dtype) == (name, torch.float32)
    assert np.array_equal(model.verify([EQUATION]), same.verify([EQUATION]))
    assert model.trace(EQUATION).to_dict() == same.trace(EQUATION).to_dict()
    assert len(model.complete("sin(x)^2 + _ = 1", top=3)) >= 3
    assert treesmu.load(name, dtype=torch.float64).verify([EQUATION]).dtype == np.float64


def test_the_explorer_offers_them_in_this_order(folder: Path) -> None:
    assert list(find_models(shipped=folder)) == NAMES
    assert all(file.is_shipped for file in find_models(shipped=folder).values())


@pytest.mark.usefixtures("folder")
def test_a_name_that_is_neither_a_file_nor_shipped_is_refused() -> None:
    with pytest.raises(DataError, match=r"^lstm: there is no such file; .*the name of a shipped model: tree-smu or tree-lstm$"):
        treesmu.load("lstm")
