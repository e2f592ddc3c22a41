"""A trained model: its predictions, its states, and a sample of equations to compute them for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data import Dataset
from treesmu.models.model import Model
from treesmu.models.store import load
from treesmu.models.verifier import as_numpy
from treesmu.tasks.verify import probabilities
from treesmu.training.run_folder import RunFolder

Array = NDArray[Any]


def load_trained(folder: Path) -> Model:
    """Return the model of a run that is best on validation."""
    return load(RunFolder(folder).model)


def predictions(model: Model, texts: Any) -> Array:
    """Return whether the model predicts that each equation is correct, (rows,). texts: prefix strings."""
    return probabilities(model, model.batches(model.plan(texts))) >= 0.5


def unit_states(model: Model, texts: list[str]) -> Array:
    """Return the states of expressions, (rows, n), scaled to length 1 to make models with different heads comparable.

    texts: prefix strings.
    """
    with model.evaluation_mode():
        found = np.concatenate([as_numpy(model.encoder(batch)) for batch in model.batches(model.plan(texts))])
    scaled: Array = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return scaled.astype(float)


def sample_each_depth(data: Dataset, count: int, seed: int) -> Dataset:
    """Return at most ``count`` rows of each depth, drawn at random, in their original order."""
    rng = np.random.default_rng(seed)
    by_depth = [np.flatnonzero(data.depth == depth) for depth in sorted(set(data.depth.tolist()))]
    return data.take(np.sort(np.concatenate([rng.permutation(rows)[:count] for rows in by_depth])))
