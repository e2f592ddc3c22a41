"""Fixtures for the tests of models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from treesmu.models.forest import encoder
from treesmu.models.store import save
from weights_files import tiny


@pytest.fixture(autouse=True)
def one_thread_and_a_seed() -> Iterator[None]:
    """Use one thread, because tests run in parallel, and the same random weights in every run."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def compile_only_in_one_group(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let large forests be compiled by default only in tests that say so: compiling takes longer than most tests."""
    group = request.node.get_closest_marker("xdist_group")
    if group is None or "compiled" not in group.args:
        monkeypatch.setattr(encoder, "MANY_NODES", sys.maxsize)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a model, for tests that damage it."""
    save(tiny(), tmp_path / "model.safetensors", {"seed": 1})
    return tmp_path / "model.safetensors"
