"""A clock in place of the machine's."""

from __future__ import annotations

import pytest

from clock import Clock
from treesmu.cli.terminal import jobs_progress, training_screen


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of everything that shows progress."""
    clock = Clock()
    for module in (jobs_progress, training_screen):
        monkeypatch.setattr(module, "time", clock)
    return clock
