"""The average of the weights, by hand; it is used only where it is asked for."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from treesmu.training.steps.weight_average import WeightAverage


def one_weight(value: float) -> nn.Linear:
    model = nn.Linear(1, 1, bias=False)
    set_weight(model, value)
    return model


def set_weight(model: nn.Linear, value: float) -> None:
    with torch.no_grad():
        model.weight.fill_(value)


def test_the_average_forgets_by_the_decay_and_faster_at_the_start() -> None:
    model = one_weight(1.0)
    average = WeightAverage(model, 0.5)
    expected = 1.0
    for steps, weight in enumerate([2.0, 4.0, -1.0, 3.0, 0.5, 7.0, 1.0, 2.0, 9.0, 5.0]):
        set_weight(model, weight)
        average.update(steps)
        decay = min(0.5, (1 + steps) / (10 + steps))
        expected = decay * expected + (1 - decay) * weight
        assert average.means["weight"].item() == pytest.approx(expected, rel=1e-5)
    assert model.weight.item() == 5.0


def test_the_model_has_the_average_only_within_the_context() -> None:
    model = one_weight(1.0)
    average = WeightAverage(model, 0.9)
    set_weight(model, 3.0)
    average.update(0)
    with average.in_use():
        assert model.weight.item() == pytest.approx(0.1 + 0.9 * 3)
    assert model.weight.item() == 3.0
    assert average.means["weight"].item() == pytest.approx(2.8)


def test_without_decay_there_is_no_average() -> None:
    model = one_weight(1.0)
    average = WeightAverage(model, 0.0)
    set_weight(model, 3.0)
    average.update(5)
    assert average.means == {}
    with average.in_use():
        assert model.weight.item() == 3.0
