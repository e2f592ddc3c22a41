"""The shipped models and their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from treesmu import shipped
from treesmu.shipped import SHIPPED, find_shipped, names_of_shipped, shipped_models


def test_the_default_is_the_first_of_the_shipped_models() -> None:
    found = shipped_models()
    assert next(iter(found.items())) == ("tree-smu", SHIPPED)
    assert set(found.values()) == set(SHIPPED.parent.glob("*.safetensors"))


def test_names_are_looked_up_and_never_become_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.safetensors", "tree-smu.safetensors", "b.txt"):
        (tmp_path / "shipped" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "shipped" / name).touch()
    (tmp_path / "secret.safetensors").touch()
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path / "shipped" / "tree-smu.safetensors")
    assert list(shipped_models()) == ["tree-smu", "a"]
    assert names_of_shipped() == "tree-smu or a"
    assert find_shipped("a") == tmp_path / "shipped" / "a.safetensors"
    assert find_shipped(Path("tree-smu")) == tmp_path / "shipped" / "tree-smu.safetensors"
    for name in ("b", "../secret", "", "A", "a.safetensors", "shipped/a"):
        assert find_shipped(name) is None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()  # a run folder of the user comes first
    assert find_shipped("a") is None


def test_without_shipped_models_no_name_is_offered(tmp_path: Path) -> None:
    assert shipped_models(tmp_path) == {}
