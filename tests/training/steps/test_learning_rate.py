"""The learning rate of every step, for each schedule, with and without warm-up."""

from __future__ import annotations

from typing import Any

import pytest

from treesmu.training.settings import TrainSettings
from treesmu.training.steps.learning_rate import learning_rate


def rates(steps: int, **given: Any) -> list[float]:
    settings = TrainSettings.of(learning_rate=0.1, **given)
    return [learning_rate(settings, done, steps) for done in range(steps + 1)]


def test_schedules_without_warm_up() -> None:
    assert rates(4) == [0.1] * 5
    assert rates(4, schedule="linear") == pytest.approx([0.1, 0.075, 0.05, 0.025, 0])
    assert rates(4, schedule="cosine") == pytest.approx([0.1, 0.0853553, 0.05, 0.0146447, 0], abs=1e-7)


def test_warm_up_is_a_linear_increase_of_what_the_schedule_says() -> None:
    assert rates(4, warmup=2) == pytest.approx([0.05, 0.1, 0.1, 0.1, 0.1])
    for schedule in ("linear", "cosine"):
        plain, warm = rates(8, schedule=schedule), rates(8, schedule=schedule, warmup=4)
        assert warm[:3] == pytest.approx([plain[i] * (i + 1) / 4 for i in range(3)])
        assert warm[3:] == plain[3:]


def test_a_warm_up_that_is_longer_than_the_run_never_reaches_the_rate() -> None:
    assert max(rates(5, warmup=10)) == pytest.approx(0.06)


def test_the_first_step_has_a_rate_above_zero() -> None:
    assert rates(1000, warmup=1000, schedule="linear")[0] == pytest.approx(1e-4)
