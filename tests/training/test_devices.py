"""A run is computed on the device that is asked for, and no tensor is made on another one.

There is no accelerator here: the device is simulated (one_device.py), so that real runs are computed on it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from corpora import write_small_corpus
from one_device import second_device
from treesmu import registry
from treesmu.data import DataError
from treesmu.training import trainer as trainer_module
from treesmu.training.distributed import ProcessGroup
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")

CASES: dict[str, dict[str, Any]] = {
    **{name: {"model": name, "cell": {} if name == "majority" else {"hidden": 5}} for name in registry.BUILT_IN},
    **{
        f"{name}, recipe {recipe}": {"recipe": recipe, "model": name, "cell": {"hidden": 5}, **few, "clip": 1.0}
        for name in registry.BUILT_IN
        if registry.is_tree_model(name)
        for recipe, few in (("treesmu-1", {"substitutes": 100}), ("treesmu", {"points": 2, "warmup": 3}))
    },
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("devices") / "corpus", 32, 8, 8)


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "choose_device", torch.device)


def settings(**given: Any) -> TrainSettings:
    return TrainSettings.of(**{"epochs": 2, "batch": 16, "pairs": 40, **given})


def train(corpus: Path, out: Path, given: dict[str, Any], device: torch.device, **how: Any) -> Trainer:
    trainer = Trainer(corpus, out, settings(**given), device=device, **how)
    trainer.run()
    assert {p.device for p in trainer.model.parameters()} == {device}
    return trainer


def assert_close(one: Path, other: Path) -> None:
    for name in ("model.safetensors", "last.safetensors"):
        expected, found = load_file(one / name), load_file(other / name)
        for key, weight in expected.items():
            torch.testing.assert_close(found[key], weight, rtol=1e-4, atol=1e-4, msg=lambda said, key=key: f"{key}: {said}")
    first, second = (json.loads((run / "test.json").read_text())["overall"] for run in (one, other))
    assert first == pytest.approx(second, abs=1e-4)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("simulated")
def test_a_run_on_another_device_gives_the_weights_of_the_cpu(case: str, corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path / "cpu", CASES[case], torch.device("cpu"))
    with second_device(has_float64=False) as device:
        train(corpus, tmp_path / "other", CASES[case], device)
    assert_close(tmp_path / "cpu", tmp_path / "other")


@pytest.mark.usefixtures("simulated")
def test_a_run_is_resumed_on_another_device(corpus: Path, tmp_path: Path) -> None:
    case, cpu = CASES["tree-smu, recipe treesmu"], torch.device("cpu")
    train(corpus, tmp_path / "whole", case, cpu)
    Trainer(corpus, tmp_path / "parts", settings(**case), device=cpu).run(until=1)
    with second_device() as device:
        trainer = train(corpus, tmp_path / "parts", case, device, resume=True)
        state = trainer.optimization.adam.state_dict()["state"][0]
        assert {state[name].device for name in ("exp_avg", "exp_avg_sq")} == {device}
    assert_close(tmp_path / "whole", tmp_path / "parts")
    assert json.loads((tmp_path / "parts" / "settings.json").read_text())["device"] == "cpu"  # where it was started
    train(corpus, tmp_path / "parts", case, cpu, resume=True)  # finished: nothing is left to do


def test_the_device_is_no_part_of_what_a_run_is(corpus: Path, tmp_path: Path) -> None:
    trainer = Trainer(corpus, tmp_path / "run", settings(epochs=1, cell={"hidden": 4}), device="cpu")
    assert "device" not in trainer.identity["settings"]
    trainer.run(until=0)
    assert json.loads((tmp_path / "run" / "settings.json").read_text())["device"] == "cpu"


def test_a_device_that_is_not_there_is_one_line_and_leaves_nothing(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^unknown device 'abacus'; known: auto, cpu, cuda, cuda:N, mps$"):
        Trainer(corpus, tmp_path / "run", settings(), device="abacus")
    assert list(tmp_path.iterdir()) == []


def test_processes_on_one_machine_take_a_card_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setenv("LOCAL_RANK", "3")
    group, cuda = ProcessGroup(3, 4), torch.device("cuda")
    assert group.assign_device(cuda) == torch.device("cuda", 1)
    assert group.assign_device(torch.device("cuda", 0)) == torch.device("cuda", 0)
    assert group.assign_device(torch.device("cpu")) == torch.device("cpu")
    assert ProcessGroup().assign_device(cuda) == cuda


def test_gradients_are_averaged_on_their_device(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[torch.Tensor] = []
    monkeypatch.setattr(torch.distributed, "all_reduce", sent.append)  # as if the others had nothing but zeros
    with second_device() as device:
        used, unused = (torch.nn.Parameter(torch.ones(2, device=device)) for _ in range(2))
        loss = (used * used).sum()
        torch.autograd.backward(loss)
        assert ProcessGroup(0, 2).average(loss, [used, unused]) == 1.0
        assert used.grad is not None
        assert (used.grad.device, used.grad.tolist(), unused.grad) == (device, [1, 1], None)
    assert [message.device.type for message in sent] == ["cpu"]
    np.testing.assert_array_equal(sent[0].numpy(), [2, 1, 0, 2, 2, 0, 0])
