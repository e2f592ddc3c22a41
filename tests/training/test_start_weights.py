"""Training that starts from the weights of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from treesmu.data import DataError
from treesmu.models import load, save
from treesmu.training.fresh_model import fresh_model
from treesmu.training.settings import TrainSettings
from treesmu.training.start_weights import settings_of_file
from treesmu.training.trainer import Trainer


def settings(**given: Any) -> TrainSettings:
    return TrainSettings.of("treesmu", **{"points": 2, "epochs": 1, "batch": 16, "cell": {"hidden": 6}, **given})


@pytest.fixture
def first(corpus: Path, tmp_path: Path) -> Path:
    """A run of one epoch."""
    Trainer(corpus, tmp_path / "first", settings(depths=(3, 3))).run()
    return tmp_path / "first" / "model.safetensors"


def test_a_run_starts_with_the_weights_of_the_file(first: Path) -> None:
    started, file = fresh_model(settings(start_from=first, seed=5)), load(first)
    for name, weight in started.state_dict().items():
        torch.testing.assert_close(weight, file.state_dict()[name], rtol=0, atol=0)


def test_the_run_after_it_differs_and_knows_the_symbols_of_both(first: Path, corpus: Path, tmp_path: Path) -> None:
    made = settings(start_from=first)
    Trainer(corpus, tmp_path / "second", made).run()
    second, file = load(tmp_path / "second" / "model.safetensors"), load(first)
    assert any(not torch.equal(w, file.state_dict()[name]) for name, w in second.state_dict().items())
    assert second.trained is not None
    assert file.trained is not None
    assert {*file.trained.leaves, *file.trained.functions} <= {*second.trained.leaves, *second.trained.functions}


def test_weights_in_16_bits_are_trained_in_32(first: Path, tmp_path: Path) -> None:
    save(load(first).half(), tmp_path / "half.safetensors")
    assert {w.dtype for w in fresh_model(settings(start_from=tmp_path / "half.safetensors")).parameters()} == {torch.float32}


def test_the_settings_of_the_model_can_be_taken_from_the_file(first: Path) -> None:
    found = settings_of_file(first)
    assert (found["model"], found["head"], found["norm"], found["points"]) == ("tree-smu", "distance", "layer", 2)
    assert found["cell"]["hidden"] == 6


def test_what_is_no_name_of_a_file_is_refused() -> None:
    with pytest.raises(DataError, match="setting start_from: expected the name of a file of weights, not int"):
        settings_of_file(5)


def test_another_kind_of_model_is_refused(first: Path) -> None:
    with pytest.raises(DataError, match="a model with name tree-smu, not tree-lstm"):
        fresh_model(settings(start_from=first, model="tree-lstm"))
    with pytest.raises(DataError, match="a model with settings "):
        fresh_model(settings(start_from=first, cell={"hidden": 7}))


def test_a_file_that_is_not_there_is_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.safetensors: there is no such file of weights to start from"):
        Trainer(corpus, tmp_path / "run", settings(start_from=tmp_path / "nowhere.safetensors"))
    assert not (tmp_path / "run").exists()


def test_a_run_is_resumed_only_with_the_weights_that_it_started_from(first: Path, corpus: Path, tmp_path: Path) -> None:
    made = settings(start_from=first, epochs=2)
    Trainer(corpus, tmp_path / "second", made).run(until=1)
    kept = first.read_bytes()
    save(fresh_model(settings(seed=9)), first)
    with pytest.raises(DataError, match="contains a run that started from other weights"):
        Trainer(corpus, tmp_path / "second", made, resume=True)
    first.write_bytes(kept)
    Trainer(corpus, tmp_path / "second", made, resume=True).run()
    Trainer(corpus, tmp_path / "whole", made).run()
    resumed, whole = (load(tmp_path / run / "last.safetensors").state_dict() for run in ("second", "whole"))
    assert all(torch.equal(resumed[name], whole[name]) for name in whole)
