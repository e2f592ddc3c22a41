"""A model for the tests of commands."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with only the file of weights."""
    import torch  # not all tests of commands need it

    from treesmu.data import Vocab
    from treesmu.models import build, save

    torch.manual_seed(1)
    (tmp_path / "run").mkdir()
    save(build("tree-smu", Vocab.default(), {"hidden": 5}), tmp_path / "run" / "model.safetensors")
    return tmp_path / "run"
