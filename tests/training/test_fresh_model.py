"""The settings of a model are checked against its class, for built-in models and for those of a user alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import treesmu
from small_runs import assert_same_run, run, small
from treesmu import registry
from treesmu.data import DataError
from treesmu.models import Cell
from treesmu.training import fresh_model as module
from treesmu.training.fresh_model import check_model, fresh_model
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


class PlainCell(Cell):
    """A recursive network; ``hidden`` has no default."""

    def __init__(self, hidden: int, slope: float = 1.0, name: str | None = None) -> None:
        super().__init__(hidden, width=hidden)
        if slope <= 0:
            raise KeyError("slope")  # any error of a user's class is reported in one line
        self.slope, self.name = slope, name

    def step(self, z: Any, memory: Any, at: Any) -> Any:
        del memory, at
        return (self.slope * z).tanh(), None, {}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    treesmu.register("plain-cell", PlainCell)


def settings(**cell: Any) -> TrainSettings:
    return TrainSettings.of(model="plain-cell", cell=cell)


def test_the_seed_draws_the_weights() -> None:
    first, same, other = (fresh_model(small(seed=seed)).state_dict() for seed in (3, 3, 4))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not torch.equal(first["encoder.leaves.embedding.weight"], other["encoder.leaves.embedding.weight"])


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ({}, "plain-cell needs the setting cell.hidden, which has no default; give it: --set cell.hidden=VALUE"),
        ({"hidden": 4, "stack": 2}, "unknown setting cell.stack of plain-cell; known: hidden, slope, name"),
        ({"hidden": 4, "slope": "steep"}, "setting cell.slope of plain-cell: 'steep' is not of the type of 1.0"),
        ({"hidden": 4, "slope": -1}, "plain-cell: 'slope'"),
        ({"hidden": 0}, "plain-cell: hidden "),
    ],
)
def test_bad_settings_of_a_registered_cell_are_one_line(cell: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as error:
        check_model(settings(**cell))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_good_settings_of_a_registered_cell_are_accepted() -> None:
    check_model(settings(hidden=4))
    check_model(settings(hidden=4, slope=2, name="anything"))  # an integer for a float; no type where the default is None


def test_a_model_that_is_too_large_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PARAMETERS", 100)
    with pytest.raises(DataError, match=r"^tree-smu: [\d,]+ parameters are too many for one machine; lower cell.hidden$"):
        check_model(small())


def test_a_registered_cell_is_trained_resumed_and_tested_like_a_built_in_one(corpus: Path, tmp_path: Path) -> None:
    chosen = small("treesmu", model="plain-cell", cell={"hidden": 5, "slope": 0.5})
    run(corpus, tmp_path / "whole", chosen)
    Trainer(corpus, tmp_path / "parts", chosen).run(until=1)
    assert run(corpus, tmp_path / "parts", chosen, resume=True).progress.finished
    assert_same_run(tmp_path / "whole", tmp_path / "parts")
    cell = treesmu.load(tmp_path / "parts" / "model.safetensors").encoder.cell
    assert (type(cell), cell.hidden, cell.slope) == (PlainCell, 5, 0.5)


def test_no_folder_is_made_for_a_cell_that_fails(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlainCell, "step", lambda *_: None)
    with pytest.raises(DataError, match=r"^model 'plain-cell': PlainCell\.step .*: returns NoneType, not a tuple of state, "):
        run(corpus, tmp_path / "run", small("treesmu", model="plain-cell", cell={"hidden": 5}))
    assert not (tmp_path / "run").exists()
