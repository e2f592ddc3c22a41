"""Reproductions of small presets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import torch

from copied_process import run_copy
from tiny_presets import SMALLER, TINY
from treesmu.engine import open_executor
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reproduction that was not interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "smaller.toml").write_text(SMALLER)
    with chdir(folder):
        done = run_copy("reproduce", "--preset", "smaller.toml", "--out", "out", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture
def begun(whole: Path, tmp_path: Path) -> Reproduction:
    """A reproduction with corpora, and nothing trained."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "corpora").symlink_to(whole / "corpora")
    (tmp_path / "out" / "plan.json").write_text((whole / "plan.json").read_text())
    return Reproduction(Preset("smaller", SMALLER, ""), tmp_path / "out", resume=True)


@pytest.fixture(scope="session")
def every_study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reproduction]:
    """Every study at a tiny scale."""
    threads = torch.get_num_threads()
    reproduction = Reproduction(Preset("tiny", TINY, "tiny"), tmp_path_factory.mktemp("tiny") / "out")
    events: list[tuple[str, dict[str, Any]]] = []
    with open_executor("local", 1) as executor:
        failed = reproduction.run(executor, lambda kind, facts: events.append((kind, facts)))
    assert failed == [], [facts["log"] for _, facts in events if facts.get("error")]
    yield reproduction
    torch.set_num_threads(threads)
