"""Fixtures of the tests of sweeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sweeps import ScriptedTraining, ScriptTraining, run_sweep
from treesmu.experiments.tuning import trial_runner


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid that was not interrupted."""
    out = tmp_path_factory.mktemp("whole") / "out"
    assert run_sweep(corpus, out)[0] == []
    return out


@pytest.fixture
def script_training(monkeypatch: pytest.MonkeyPatch) -> ScriptTraining:
    """A function that puts prescribed accuracies in place of training."""

    def script(outcome: Callable[[int, dict[str, Any]], list[float]] = lambda *_: [0.5] * 99) -> ScriptedTraining:
        made = ScriptedTraining(outcome)
        monkeypatch.setattr(trial_runner, "train_until", made)
        return made

    return script
