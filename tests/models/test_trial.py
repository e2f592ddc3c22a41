"""A fault in a user's cell or encoder is one line with its place, before a run begins and when a file is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import treesmu
from messages import message
from treesmu import plugins, registry
from treesmu.data import Vocab
from treesmu.models import Cell, build, save
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.models.trial import check_settings_are_plain, try_model
from treesmu.training.fresh_model import check_model, fresh_model
from treesmu.training.settings import TrainSettings

CELL = """
import treesmu
from treesmu.models import Cell

class C(Cell):
    def __init__(self, hidden=8, extra=None):
        super().__init__(hidden, width=hidden, memory=(hidden,))
        self.extra = extra

    def step(self, z, memory, at):
        h = z.tanh() + memory.sum(1)
        return h, h, {}

treesmu.register("mine", C)
"""
RETURN = "return h, h, {}"
FAULTS = {  # what the step returns or does instead, and the line and message of the error
    "shape": ("return h[:, :3], h, {}", 10, "the states are (2, 3), not (2, 8)"),
    "mean": ("return h.mean(0, keepdim=True), h, {}", 10, "the states are (1, 8), not (2, 8)"),
    "memory": ("return h, h[:, :3], {}", 10, "the memories are (2, 3), not (2, 8)"),
    "no memory": ("return h, None, {}", 10, "the memories are None, not a tensor (2, 8)"),
    "none": ("return None", 10, "returns NoneType, not a tuple of state, memory (or None) and gates"),
    "one": ("return h", 10, "returns Tensor, not a tuple of state, memory (or None) and gates"),
    "two": ("return h, h", 10, "returns 2 values, not a tuple of state, memory (or None) and gates"),
    "list of three": ("return [h, h, {}]", 10, "returns list, not a tuple of state, memory (or None) and gates"),
    "numpy": ("return h.detach().numpy(), h, {}", 10, "the states are ndarray, not a tensor (2, 8)"),
    "list": ("return h, [h], {}", 10, "the memories are list, not a tensor (2, 8)"),
    "gates": ("return h, h, [h]", 10, "the gates are list, not a dictionary of tensors"),
    "name": ("return hh, h, {}", 12, "NameError: name 'hh' is not defined"),
    "key": ("return {}['h']", 12, "KeyError: 'h'"),
    "raises": (r"raise RuntimeError('two\nlines')", 12, "RuntimeError: two lines"),
    "torch": ("return h @ h, h, {}", 12, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x8 and 2x8)"),
    "nan": ("return h * float('nan'), h, {}", 10, "the states are not finite (NaN or infinity) for a small tree"),
    "infinite": ("return h / 0, h, {}", 10, "the states are not finite (NaN or infinity) for a small tree"),
}


def load_cell(folder: Path, returned: str = RETURN) -> None:
    file = folder / "x.py"
    file.write_text(CELL.replace(RETURN, returned))
    plugins.load_plugin(file)


def mine(**cell: Any) -> TrainSettings:
    return TrainSettings.of(model="mine", cell=cell)


@pytest.mark.parametrize(("returned", "line", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_a_step_is_one_line_with_its_place(returned: str, line: int, said: str, tmp_path: Path) -> None:
    load_cell(tmp_path)
    save(build("mine", Vocab.default()), tmp_path / "model.safetensors")
    load_cell(tmp_path, returned)
    expected = f"model 'mine': C.step (x.py, line {line}): {said}"
    assert message(fresh_model, mine()) == expected
    assert message(treesmu.load, tmp_path / "model.safetensors") == f"{tmp_path}/model.safetensors: {expected}"


@pytest.mark.parametrize("returned", ["return h.detach(), h, {}", "return (10 * h).int(), h, {}"])
def test_a_step_that_cuts_the_gradient_cannot_be_trained(returned: str, tmp_path: Path) -> None:
    load_cell(tmp_path, returned)
    assert message(fresh_model, mine()).startswith("model 'mine': C.step (x.py, line 10): the step cuts the gradient: ")


def test_a_step_that_cuts_the_gradient_can_be_used_without_training(tmp_path: Path) -> None:
    load_cell(tmp_path, "return h.detach(), h, {}")
    try_model(build("mine", Vocab.default()))


def test_a_cell_without_a_step_says_so() -> None:
    class NoStep(Cell):
        def __init__(self, hidden: int = 4) -> None:
            super().__init__(hidden, width=hidden)

    registry.register("mine", NoStep)
    assert message(fresh_model, mine()) == "model 'mine': NoStep has no step()"


class Noisy(Cell):
    """Draws random numbers, counts its calls in a buffer and uses dropout and a further linear map."""

    calls: Tensor

    def __init__(self, hidden: int = 4) -> None:
        super().__init__(hidden, width=hidden, linears={"more": (hidden, hidden, True)}, dropout=0.5)
        self.register_buffer("calls", torch.zeros(1))
        self.norm = nn.BatchNorm1d(hidden)

    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        del memory
        self.calls += 1
        return at.drop(self.norm(at.linear("more", z)) + torch.randn_like(z)), None, {}


@pytest.mark.parametrize("with_gradients", [False, True])
def test_a_trial_changes_neither_the_model_nor_the_random_numbers(with_gradients: bool) -> None:
    registry.register("mine", Noisy)
    model = build("mine", Vocab.default())
    before, random_state = {name: value.clone() for name, value in model.state_dict().items()}, torch.get_rng_state()
    try_model(model, with_gradients)
    assert torch.equal(torch.get_rng_state(), random_state)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(weight.grad is None for weight in model.parameters())
    assert model.training
    assert "step" not in vars(model.encoder.cell)


@pytest.mark.parametrize(
    "vocab",
    [
        Vocab((), (), ("x",)),
        Vocab(("sin",), (1,), ("x",)),
        Vocab(("Add",), (2,), ("x", "1"), "Equality"),
        Vocab(("MAX", "MIN"), (5, 3), ("1", "2"), variadic=True),
        Vocab((), (), (), numbers=True),
    ],
)
def test_any_vocabulary_can_be_tried(vocab: Vocab, tmp_path: Path) -> None:
    load_cell(tmp_path)
    registry.register("sequence", LSTMEncoder)
    for name in ("mine", "sequence"):
        try_model(build(name, vocab), with_gradients=True)


def test_a_fault_of_an_encoder_is_one_line_with_its_place() -> None:
    class Fails(LSTMEncoder):
        def forward(self, batch: Any) -> Tensor:
            return super().forward(batch)[:, 0]

    registry.register("mine", Fails)
    said = message(fresh_model, mine(hidden=4))
    assert said.startswith("model 'mine': Fails.forward (test_trial.py, line ")
    assert said.endswith("): the states are (2, 4), not (2, 2, n)")
    Fails.forward = lambda *given: given[0].absent  # type: ignore[method-assign,assignment]
    assert "): AttributeError: " in message(fresh_model, mine(hidden=4))


@pytest.mark.parametrize("value", [print, nn.Parameter(torch.ones(1)), float("nan"), [object()]])
def test_a_setting_that_cannot_be_stored_is_named(value: Any, tmp_path: Path) -> None:
    load_cell(tmp_path)
    said = f"model 'mine': the setting 'extra' of C has the type {type(value).__name__}, which cannot be stored: "
    assert message(check_model, mine(extra=value)).startswith(said)
    model = build("mine", Vocab.default(), {"extra": value})
    assert message(check_settings_are_plain, model).startswith(said)
    assert message(save, model, tmp_path / "model.safetensors").startswith(said)
    assert not (tmp_path / "model.safetensors").exists()
