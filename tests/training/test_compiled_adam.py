"""A compiled step of Adam is one of PyTorch's, on the same state."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

from treesmu.compilation import why_not
from treesmu.training import compiled_adam
from treesmu.training.compiled_adam import CompiledAdam

pytestmark = [
    pytest.mark.xdist_group("compiled"),
    pytest.mark.skipif(why_not() is not None, reason=f"tree models are not compiled here: {why_not()}"),
]
ERRORS = {torch.float64: 1e-12, torch.float32: 1e-6}


class Pair:
    """The same weights twice: one half is changed by PyTorch, the other by compiled code, with the same gradients."""

    def __init__(self, dtype: torch.dtype = torch.float64, decay: float = 0.0) -> None:
        torch.manual_seed(0)
        shapes = [(30, 7), (5,), (1,), (2, 3, 4)]
        self.theirs = [nn.Parameter(torch.randn(shape, dtype=dtype)) for shape in shapes]
        self.ours = copy.deepcopy(self.theirs)
        options: dict[str, Any] = {"lr": 1e-2, "weight_decay": decay}
        self.torch, self.adam = (torch.optim.Adam(weights, **options, fused=True) for weights in (self.theirs, self.ours))
        self.compiled = CompiledAdam(self.adam)

    def step(self, absent: tuple[int, ...] = ()) -> None:
        for place, (theirs, ours) in enumerate(zip(self.theirs, self.ours, strict=True)):
            gradient = torch.randn_like(theirs) * 10.0 ** torch.randint(-6, 3, ())
            theirs.grad, ours.grad = (None, None) if place in absent else (gradient, gradient.clone())
        self.torch.step()
        self.compiled.step()

    def assert_equal(self) -> None:
        for theirs, ours in zip(self.theirs, self.ours, strict=True):
            error = ERRORS[theirs.dtype]
            torch.testing.assert_close(ours, theirs, rtol=error, atol=error)
            known = self.torch.state[theirs]
            for name, value in self.adam.state[ours].items():
                torch.testing.assert_close(value, known[name], rtol=10 * error, atol=0.0)
                assert value.dtype == known[name].dtype


@pytest.mark.parametrize("dtype", ERRORS, ids=["double", "single"])
@pytest.mark.parametrize("decay", [0.0, 1e-2])
def test_steps_are_those_of_pytorch(dtype: torch.dtype, decay: float) -> None:
    pair = Pair(dtype, decay)
    for number in range(20):
        for adam in (pair.torch, pair.adam):
            adam.param_groups[0]["lr"] = 1e-2 / (1 + number)
        pair.step()
        pair.assert_equal()


def test_a_parameter_without_a_gradient_is_left_out_and_counts_its_own_steps() -> None:
    pair = Pair()
    for absent in ((1,), (), (0, 1, 2, 3), (2,), ()):
        pair.step(absent)
        pair.assert_equal()


def test_steps_of_pytorch_and_compiled_steps_can_follow_each_other() -> None:
    pair = Pair()
    pair.step()
    for theirs, ours in zip(pair.theirs, pair.ours, strict=True):
        theirs.grad, ours.grad = torch.ones_like(theirs), torch.ones_like(ours)
    pair.torch.step()
    pair.adam.step()
    pair.step()
    pair.assert_equal()


def test_a_state_that_is_loaded_is_gone_on_with() -> None:
    """Also one that PyTorch's Adam has written, as checkpoints of earlier versions hold it."""
    pair = Pair()
    pair.step()
    state, weights = copy.deepcopy(pair.torch.state_dict()), [w.detach().clone() for w in pair.theirs]
    pair.step()
    for adam in (pair.adam, pair.torch):
        adam.load_state_dict(copy.deepcopy(state))  # which would share the tensors
    for theirs, ours, weight in zip(pair.theirs, pair.ours, weights, strict=True):
        theirs.data.copy_(weight)
        ours.data.copy_(weight)
    pair.step()
    pair.assert_equal()
    assert all(state["step"] == 2 for state in pair.adam.state.values())


def test_threads_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, together = Pair(), Pair()
    monkeypatch.setattr(compiled_adam, "NUMBERS_PER_THREAD", 1)
    for pair, threads in ((alone, 1), (together, 3)):
        monkeypatch.setattr(compiled_adam, "allowed_threads", lambda threads=threads: threads)
        torch.manual_seed(1)
        for _ in range(3):
            pair.step()
    assert all(torch.equal(a, b) for a, b in zip(alone.ours, together.ours, strict=True))


def test_a_gradient_may_be_stored_column_by_column() -> None:
    pair = Pair()
    for theirs, ours in zip(pair.theirs, pair.ours, strict=True):
        gradient = torch.randn_like(theirs)
        theirs.grad, ours.grad = gradient, gradient.clone()
    transposed = pair.theirs[0].grad
    assert transposed is not None
    pair.ours[0].grad = transposed.t().contiguous().t()
    assert not pair.ours[0].grad.is_contiguous()
    pair.torch.step()
    pair.compiled.step()
    pair.assert_equal()


def test_parameters_of_two_types_are_left_to_pytorch() -> None:
    weights = [nn.Parameter(torch.ones(3, dtype=dtype)) for dtype in ERRORS]
    adam = torch.optim.Adam(weights, lr=0.5)
    for weight in weights:
        weight.grad = torch.ones_like(weight)
    CompiledAdam(adam).step()
    assert all(torch.allclose(weight, torch.full_like(weight, 0.5)) for weight in weights)
