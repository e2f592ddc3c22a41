"""Measures of numbers are in their own units; losses are of standardised ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from treesmu.data.tree_files.read import trees_in_memory
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.tasks.trees.numbers import RowNumbers


class Fake:
    """A model whose outputs are known."""

    answer_kind = AnswerKind("regress", mean=10.0, scale=2.0)

    def outputs(self, table: Any, plan: Any = None) -> Any:  # noqa: ARG002
        return np.array([[0.0], [1.0], [0.0]])[: len(table)]


def test_errors_are_in_the_units_of_the_answers() -> None:
    rows = trees_in_memory(["(f a)", "(f a)", "b"], [10.0, 14.0, None])
    measures, columns = RowNumbers().evaluate(Fake(), rows)  # type: ignore[arg-type]
    assert columns["prediction"].tolist() == [10.0, 12.0, 10.0]
    labels = {"label_mean": 12.0, "label_sd": 2.0}
    assert measures["overall"] == {"trees": 2, "r2": 0.5, "rmse": pytest.approx(2**0.5), "mae": 1.0, **labels}
    assert measures["by_depth"]["0"] == dict.fromkeys(measures["overall"]) | {"trees": 0}
    assert RowNumbers().score(Fake(), rows, None) == 0.5  # type: ignore[arg-type]


def test_equal_answers_are_scored_by_the_error() -> None:
    rows = trees_in_memory(["a", "a"], [10.0, 10.0])
    assert RowNumbers().score(Fake(), rows, None) == pytest.approx(-(2**0.5))  # type: ignore[arg-type]


def test_the_huber_loss_is_linear_far_away() -> None:
    outputs, answers = torch.tensor([[0.0], [0.0]]), torch.tensor([0.5, 3.0])
    assert RowNumbers("squared").loss(outputs, answers).item() == pytest.approx(0.25 + 9)
    assert RowNumbers("huber").loss(outputs, answers).item() == pytest.approx(0.125 + 2.5)
