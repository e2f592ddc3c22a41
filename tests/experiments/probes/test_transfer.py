"""Transfer: predictions on equations of any corpus are counted by depth, label and seen sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from treesmu.data import Dataset, Vocab
from treesmu.experiments.probes import transfer
from treesmu.experiments.probes.transfer import SeenText, count_right
from treesmu.expr import parse

TRAINING = ("x + y = y + x", "sin(x) = y")
TEST = {  # label, sides that the training set has, and whether the model calls it correct
    "x + y = x": (0, 1, True),
    "y + x = x + y": (1, 2, True),
    "sin(x) = y + x": (0, 2, False),
    "cos(x) = x": (0, 0, True),
    "cos(y) = x": (0, 0, False),
    "sin(x) = y": (0, 2, True),  # is in the training set
}


def dataset(*equations: str, labels: list[int] | None = None) -> Dataset:
    return Dataset.of([parse(e) for e in equations], labels or [1] * len(equations))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    called = {" ".join(parse(text).prefix()): is_called for text, (_, _, is_called) in TEST.items()}
    monkeypatch.setattr(transfer, "predictions", lambda _, prefix: np.array([called[text] for text in prefix.to_pylist()]))
    return SimpleNamespace(vocab=Vocab.default())


def test_sides_count_if_they_are_written_in_the_same_way() -> None:
    seen = SeenText(dataset(*TRAINING))
    counts = {text: seen.count_sides(" ".join(parse(text).prefix())) for text in TEST}
    assert counts == {text: sides for text, (_, sides, _) in TEST.items()}
    assert seen.count_sides(" ".join(parse("1*y + x = z").prefix())) == 0


def test_right_predictions_are_counted_without_equations_of_the_training_set(model: Any) -> None:
    found = count_right(model, dataset(*TEST, labels=[label for label, _, _ in TEST.values()]), SeenText(dataset(*TRAINING)))
    rows = list(zip(*(found[name] for name in transfer.COLUMNS), strict=True))
    assert rows == [
        (2, 0, 0, 2, 1),  # depth, label, sides, equations, right
        (2, 0, 1, 1, 0),
        (2, 0, 2, 1, 1),
        (2, 1, 2, 1, 1),
    ]
    assert found["left_out"] == 1


def test_a_test_set_that_the_training_set_contains_has_no_counts(model: Any) -> None:
    found = count_right(model, dataset(TRAINING[1], labels=[0]), SeenText(dataset(*TRAINING)))
    assert found == {**{name: [] for name in transfer.COLUMNS}, "left_out": 1}


def test_an_equation_with_a_leaf_that_the_model_does_not_know_is_left_out(model: Any) -> None:
    found = count_right(model, dataset("cos(x) = x", "cos(x) = 4711*x", labels=[0, 0]), SeenText(dataset(*TRAINING)))
    assert (found["equations"], found["left_out"]) == ([1], 1)
