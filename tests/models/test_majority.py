"""The majority class counts labels and looks at no equation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from treesmu.data import CorpusPlan, DataError, Vocab
from treesmu.models.build import build
from treesmu.models.majority import fit
from treesmu.models.store import load, save

VOCAB = Vocab.default()


def test_the_majority_counts() -> None:
    model = build("majority", VOCAB)
    assert model.verify(["x = x"]).tolist() == [0.5]
    fit(model, np.array([1, 1, 1, 0], np.int8))
    assert model.verify(["x = x", "x = y", "sin(x) = 0.5"]) == pytest.approx([0.75] * 3)
    assert {name: weight.numel() for name, weight in model.state_dict().items()} == {"head.share": 1}
    assert model.double().verify(["x = y"]).dtype == np.float64
    fit(model, torch.ones(3))
    assert model.verify(["x = y"]).tolist() == [1]


def test_the_majority_is_stored(tmp_path: Path) -> None:
    model = build("majority", VOCAB)
    fit(model, [1, 0, 0, 0, 0])
    save(model, tmp_path / "model.safetensors")
    assert load(tmp_path / "model.safetensors").verify(["x = y"]) == pytest.approx([0.2])


def test_what_the_majority_cannot_do_is_named() -> None:
    model = build("majority", VOCAB)
    with pytest.raises(ValueError, match="the model majority has no states of expressions"):
        model.embed(["x + y"])
    with pytest.raises(ValueError, match="there are no labels"):
        fit(model, [])
    with pytest.raises(ValueError, match="lstm is not trained by counting"):
        fit(build("lstm", VOCAB), [1])
    with pytest.raises(DataError, match="unknown leaf or function 'what'"):
        model.encoder.plan(["Equality x what"])
    assert isinstance(model.encoder.plan(["Equality x y"]), CorpusPlan)
