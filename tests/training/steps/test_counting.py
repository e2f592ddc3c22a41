"""The majority class is learnt by counting."""

from __future__ import annotations

import numpy as np
import pytest

from corpora import equations
from treesmu.data import Dataset, Vocab
from treesmu.models import build
from treesmu.training.checkpoint import TrainingProgress
from treesmu.training.steps.counting import count_labels


def test_the_share_of_correct_equations_and_its_entropy() -> None:
    train = Dataset.of(equations(), [1, 1, 1, 0] * 2)
    model, progress = build("majority", Vocab.default(), {}, "dot", "none"), TrainingProgress()
    count_labels(model, train, progress)
    assert model.verify(train.expressions()) == pytest.approx(0.75)
    assert (progress.rows, progress.nodes) == (8, train.size.sum())
    assert progress.loss / 8 == pytest.approx(-0.75 * np.log(0.75) - 0.25 * np.log(0.25))
