"""Which models there are, and that a name never becomes a path."""

from __future__ import annotations

from pathlib import Path

import pytest

from treesmu.errors import DataError
from treesmu.shipped import SHIPPED
from treesmu.web.catalogue import ModelFile, chosen_name, find_models
from treesmu.web.refusal import Refusal


def _touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def _names(folder: Path, tmp_path: Path) -> dict[str, Path]:
    return {name: file.path for name, file in find_models(folder, tmp_path / "nothing shipped").items()}


def test_the_shipped_models_come_first_and_the_default_before_all() -> None:
    found = find_models()
    assert next(iter(found.values())) == ModelFile(SHIPPED, True)
    assert {file.path for file in found.values()} == set(SHIPPED.parent.glob("*.safetensors"))


def test_files_and_run_folders_of_a_folder_are_models(tmp_path: Path) -> None:
    file, run = _touch(tmp_path / "all" / "b.safetensors"), _touch(tmp_path / "all" / "run" / "model.safetensors")
    _touch(tmp_path / "all" / "run" / "last.safetensors")
    _touch(tmp_path / "all" / "notes.txt")
    assert _names(tmp_path / "all", tmp_path) == {"b": file, "run": run}


def test_a_run_folder_is_one_model_with_its_name(tmp_path: Path) -> None:
    run = _touch(tmp_path / "first" / "model.safetensors")
    _touch(tmp_path / "first" / "last.safetensors")
    assert _names(tmp_path / "first", tmp_path) == {"first": run}


def test_equal_names_get_numbers(tmp_path: Path) -> None:
    shipped = _touch(tmp_path / "shipped" / "tree-smu.safetensors")
    file = _touch(tmp_path / "all" / "tree-smu.safetensors")
    run = _touch(tmp_path / "all" / "tree-smu" / "model.safetensors")
    found = {name: model.path for name, model in find_models(tmp_path / "all", tmp_path / "shipped").items()}
    assert sorted(found.values()) == sorted([shipped, file, run])
    assert found["tree-smu"] == shipped
    assert len(found) == 3


@pytest.mark.parametrize(("folder", "message"), [("missing", "no such folder"), (".", "no models in it")])
def test_a_folder_without_models_is_refused(folder: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        find_models(tmp_path / folder)


def test_without_any_model_there_is_nothing_to_serve(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--models FOLDER"):
        find_models(None, tmp_path)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "/etc/passwd", "b.safetensors", "B", "b\0"])
def test_only_a_listed_name_chooses_a_model(name: str, tmp_path: Path) -> None:
    models = {"b": ModelFile(tmp_path / "b.safetensors", False), "c": ModelFile(tmp_path / "c.safetensors", False)}
    assert chosen_name(None, models) == "b"
    assert chosen_name("c", models) == "c"
    with pytest.raises(Refusal) as caught:
        chosen_name(name, models)
    assert caught.value.status == 404
