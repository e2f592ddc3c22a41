"""Verification as a task computes what the functions of verify.py compute."""

from __future__ import annotations

import numpy as np
import torch

from treesmu.data import Dataset, Vocab
from treesmu.expr import parse
from treesmu.models.build import build
from treesmu.tasks.verification import Verification
from treesmu.tasks.verify import evaluate_verification, verification_loss


def test_the_task_has_the_loss_measures_and_columns_of_equations() -> None:
    rows = Dataset.of([parse(text) for text in ("x = x", "x + 1 = x", "sin(x) = y", "1 + 1 = 2")], [1, 0, 0, 1])
    model, task = build("tree-lstm", Vocab.default(), {"hidden": 6}), Verification()
    measures, columns = task.evaluate(model, rows)
    expected, probability = evaluate_verification(model, rows)
    assert measures == expected
    assert list(columns) == ["row", "depth", "label", "probability"]
    np.testing.assert_array_equal(columns["probability"], probability.astype(np.float32))
    assert task.score(model, rows, model.plan(rows.prefix)) == expected["overall"]["accuracy"]
    logits, label = torch.randn(4), torch.tensor([1.0, 0, 0, 1])
    assert task.loss(logits, label) == verification_loss(logits, label)
