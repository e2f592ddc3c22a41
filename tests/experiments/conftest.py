"""Reproductions of a small preset."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import finish
from tiny_presets import SMALLER, start_reproduction
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reproduction that was not interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    finish(start_reproduction(folder, 1))
    return folder / "out"


@pytest.fixture
def begun(whole: Path, tmp_path: Path) -> Reproduction:
    """A reproduction with corpora, and nothing trained."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "corpora").symlink_to(whole / "corpora")
    (tmp_path / "out" / "plan.json").write_text((whole / "plan.json").read_text())
    return Reproduction(Preset("smaller", SMALLER, ""), tmp_path / "out", resume=True)
