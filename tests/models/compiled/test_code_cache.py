"""Compiled code is stored in a folder that changes with every source and with Numba's version."""

from __future__ import annotations

import shutil
from pathlib import Path

import numba
import pytest

from treesmu.models.compiled import code_cache
from treesmu.models.compiled.code_cache import cache_folder, code_folder, source_digest


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the sources, which can be changed."""
    copied = tmp_path / "models" / "compiled"
    shutil.copytree(code_cache.SOURCES, copied, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(code_cache.SOURCES.parent / "normalise.py", copied.parent)
    monkeypatch.setattr(code_cache, "SOURCES", copied)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return copied


@pytest.mark.parametrize("name", ["native.py", "kernels/smu.py", "kernels/arithmetic.py", "../normalise.py"])
def test_the_folder_changes_when_a_source_changes(sources: Path, name: str) -> None:
    before = code_folder()
    assert before is not None
    assert before.parent == sources / "__pycache__"
    assert code_folder() == before
    file = sources / name
    file.write_text(file.read_text() + "\n# changed\n")
    assert code_folder() != before


def test_the_folder_changes_with_a_new_source_and_with_numba(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = source_digest()
    (sources / "kernels" / "new.py").write_text("")
    after = source_digest()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert len({before, after, source_digest()}) == 3


def test_where_sources_cannot_be_written_to_the_users_cache_is_used(sources: Path, tmp_path: Path) -> None:
    (sources / "__pycache__").write_text("a file in place of the folder")
    assert code_folder() == tmp_path / "cache" / "treesmu" / "compiled" / source_digest()
    shutil.rmtree(tmp_path / "cache")
    (tmp_path / "cache").write_text("a file here too")
    assert code_folder() is None


def test_the_setting_of_numba_is_changed_only_while_functions_are_declared() -> None:
    before = numba.config.CACHE_DIR
    with cache_folder() as is_stored:
        assert is_stored is (code_cache.FOLDER is not None)
        assert str(code_cache.FOLDER or "") == numba.config.CACHE_DIR
    assert before == numba.config.CACHE_DIR
