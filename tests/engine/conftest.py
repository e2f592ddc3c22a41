"""For the tests of engines."""

from __future__ import annotations

import multiprocessing

import pytest

from treesmu.engine import local_processes


@pytest.fixture(autouse=True)
def workers_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start worker processes as users do, not as copies of one that has loaded PyTorch."""
    monkeypatch.setattr(local_processes, "_SPAWN", multiprocessing.get_context("spawn"))
