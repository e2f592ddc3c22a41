"""What is asked of a trained model: its predictions, its states, and a sample of equations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from corpora import many_rows, write_split
from treesmu.data import Dataset, Vocab
from treesmu.experiments.probes.trained_model import load_trained, predictions, sample_each_depth, unit_states
from treesmu.models import Model, build, save

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def model(tmp_path: Path) -> Model:
    torch.manual_seed(1)
    save(build("tree-lstm", Vocab.default(), {"hidden": 5}), tmp_path / "model.safetensors")
    return load_trained(tmp_path)


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    return Dataset.read(write_split(tmp_path / "test.parquet", many_rows(40)))


def test_predictions_are_those_of_the_model(model: Model, data: Dataset) -> None:
    with torch.no_grad():
        model.head.bias.fill_(-float(np.median(model.logits(data.expressions()))))  # so that both predictions occur
    found = predictions(model, data.prefix)
    assert found.tolist() == (model.verify(data.expressions()) >= 0.5).tolist()
    assert set(found.tolist()) == {True, False}


def test_states_have_length_1_and_the_direction_of_the_models(model: Model) -> None:
    found = unit_states(model, ["sin x", "Mul 2 x"])
    expected = model.embed(["sin(x)", "2*x"])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-6)


def test_the_sample_of_each_depth_is_the_same_every_time(data: Dataset) -> None:
    first, again, other = (sample_each_depth(data, 3, seed) for seed in (1, 1, 2))
    available = dict(zip(*np.unique(data.depth, return_counts=True), strict=True))
    taken = dict(zip(*np.unique(first.depth, return_counts=True), strict=True))
    assert max(available.values()) > 3
    assert taken == {depth: min(3, count) for depth, count in available.items()}
    assert first.row.tolist() == again.row.tolist() == sorted(first.row.tolist())
    assert first.row.tolist() != other.row.tolist()
