"""Models are loaded when they are asked for, and not more than a few are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treesmu
from explorer import EQUATION, save_models
from treesmu.web.catalogue import ModelFile
from treesmu.web.refusal import Refusal
from treesmu.web.work import loaded_models
from treesmu.web.work.loaded_models import LoadedModels, unit


def test_a_model_is_that_of_its_file_and_loaded_once(tmp_path: Path) -> None:
    models = LoadedModels(save_models(tmp_path, "tree-smu"))
    found = models.get("tree-smu")
    assert found.model.verify([EQUATION]) == treesmu.load(tmp_path / "tree-smu.safetensors").verify([EQUATION])
    assert models.get("tree-smu") is found
    assert found.stored is found.stored


def test_the_least_recent_one_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_models, "MOST", 2)
    models = LoadedModels(save_models(tmp_path, "tree-smu", "tree-lstm", "tree-rnn"))
    first, second = models.get("tree-smu"), models.get("tree-lstm")
    models.get("tree-smu")
    models.get("tree-rnn")
    assert models.get("tree-smu") is first
    assert models.get("tree-lstm") is not second


def test_a_damaged_file_is_refused_without_its_path(tmp_path: Path) -> None:
    file = tmp_path / "bad.safetensors"
    file.write_bytes(b"nothing")
    with pytest.raises(Refusal, match="the model bad cannot be loaded: not a safetensors file") as caught:
        LoadedModels({"bad": ModelFile(file, False)}).get("bad")
    assert str(tmp_path) not in str(caught.value)


def test_the_map_says_which_package_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openTSNE", None)
    with pytest.raises(treesmu.data.DataError, match="the map needs openTSNE: pip install"):
        _ = LoadedModels(save_models(tmp_path, "tree-smu")).get("tree-smu").map


def test_unit_states_have_length_1() -> None:
    scaled = unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert scaled.tolist() == [[0.6, 0.8], [0.0, 0.0]]
