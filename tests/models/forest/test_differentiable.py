"""A pass is one differentiable operation: gradients, errors for second gradients, memory, and torch.compile."""

from __future__ import annotations

import re

import pytest
import torch
from torch import Tensor

from samples import (
    EXACT,
    FIXED,
    FOREST,
    How,
    Setting,
    by_hand_or_compiled,
    compiles,
    each_implementation,
    each_way,
    encoder_of,
    few,
    gradients,
)
from treesmu.data import Forest
from treesmu.models import TreeEncoder


@each_implementation
@few
def test_backward_twice_gives_the_same_gradients(setting: Setting, how: How) -> None:
    encoder = encoder_of(setting, inputs=2, norm="unit", dropout=0.2, **how)
    inputs = torch.randn(FOREST.size, 2, dtype=torch.float64, requires_grad=True)
    loss = encoder(FOREST, inputs).square().sum()
    wanted = [*encoder.parameters(), inputs]
    first, second = (torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True) if a is not None or b is not None)


def slope_of_slope(encoder: TreeEncoder, loss: Tensor, how: str) -> Tensor:
    """Ask for the gradient of a gradient by the states of leaves, in one of several ways."""
    weight = encoder.leaves.embedding.weight
    (slope,) = torch.autograd.grad(loss, weight, create_graph=True)
    total = loss + slope.square().sum()
    if how == "grad":
        return torch.autograd.grad(total, weight)[0]
    total.backward()
    assert weight.grad is not None
    return weight.grad


@compiles
@few
def test_gradients_of_gradients_are_refused_except_by_autograd(setting: Setting) -> None:
    encoder = encoder_of(setting)
    for name in each_way(encoder):
        if name == "autograd":
            assert slope_of_slope(encoder, encoder(FOREST).square().sum(), "backward").isfinite().all()
        else:
            with pytest.raises(RuntimeError, match=r"differentiate twice|by_hand=False"):
                slope_of_slope(encoder, encoder(FOREST).square().sum(), "backward")


@compiles
@pytest.mark.parametrize(("loss", "how"), [("square", "grad"), ("sum", "backward"), ("sum", "grad")])
def test_gradients_of_gradients_are_refused_however_they_are_asked_for(loss: str, how: str) -> None:
    encoder = encoder_of(("lstm", {}))
    for _ in each_way(encoder, ("by hand", "compiled")):
        with pytest.raises(RuntimeError, match=r"differentiate twice|by_hand=False"):
            slope_of_slope(encoder, getattr(encoder(FOREST), loss)().sum(), how)


@each_implementation
def test_weights_that_change_between_forward_and_backward_are_noticed(how: How) -> None:
    encoder = encoder_of(("lstm", {}), **how)
    loss = encoder(FOREST).sum()
    with torch.no_grad():
        encoder.wiring.gates["1"].weight.mul_(2)
    with pytest.raises(RuntimeError, match="modified"):
        loss.backward()


@by_hand_or_compiled
@few
def test_functions_that_are_not_in_a_batch_have_gradients_of_zeros(setting: Setting, compiled: bool) -> None:
    encoder = encoder_of(setting, compiled=compiled)
    trees = [("two", ("neg", ("two", "a", "b")), "b"), ("neg", ("neg", "b"))]  # of arities 1 and 2
    encoder(Forest.from_trees(trees, FIXED)).sum().backward()
    child_sum = encoder.cell.child_sum
    for name, parameter in encoder.wiring.named_parameters():
        gradient = parameter.grad
        assert gradient is not None, name
        gates = re.match(r"(?:hidden\.|second\.)?gates\.(\d+)", name)  # one parameter for each arity
        of_arity = None if child_sum or gates is None else int(gates[1])
        here = [f for f, a in zip(FIXED.functions, FIXED.arities, strict=True) if of_arity in (None, a)]
        assert len(gradient) == len(here)
        there = {f for f, rows in zip(here, gradient, strict=True) if rows.any()}
        assert there == {"neg", "two"} & set(here), name
    assert not encoder.leaves.embedding.weight.grad[2:].any()  # nor do leaves that are absent


@each_implementation
@few
def test_only_what_needs_gradients_gets_them(setting: Setting, how: How) -> None:
    encoder = encoder_of(setting, **how)
    wanted = gradients(encoder(FOREST), torch.ones(1), encoder)
    names = [name for name, _ in encoder.named_parameters()]
    encoder.wiring.requires_grad_(False)
    (frozen,) = torch.autograd.grad(encoder(FOREST).sum(), [encoder.leaves.embedding.weight])
    torch.testing.assert_close(frozen, wanted[names.index("leaves.embedding.weight")], **EXACT)
    encoder.wiring.requires_grad_(True)
    encoder.leaves.requires_grad_(False)
    encoder(FOREST).sum().backward()
    assert encoder.leaves.embedding.weight.grad is None
    for (name, parameter), gradient in zip(encoder.named_parameters(), wanted, strict=True):
        if name.startswith("wiring") and parameter.grad is not None:
            torch.testing.assert_close(parameter.grad, gradient, **EXACT)


@each_implementation
def test_a_step_of_an_optimiser_is_seen_by_the_next_forest(how: How) -> None:
    encoder = encoder_of(("smu", {}), **how)
    optimiser = torch.optim.SGD(encoder.parameters(), 0.1)
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = (encoder(FOREST) - 0.2).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert len(set(losses)) == 10


@pytest.mark.filterwarnings("ignore")  # torch.compile's own
@compiles
def test_torch_compile_skips_the_pass() -> None:
    for setting, how in ((("smu", {}), {}), (("rnn", {}), {}), (("lstm", {}), {"compiled": True})):
        encoder = encoder_of(setting, **how)
        compiled = torch.compile(encoder, backend="aot_eager")
        assert torch.equal(compiled(FOREST), encoder(FOREST))


@by_hand_or_compiled
def test_memory_is_freed_after_backward_and_a_second_backward_gives_the_same(compiled: bool) -> None:
    encoder = encoder_of(("smu", {}), compiled=compiled)
    loss = encoder(FOREST).sum()
    node = loss.grad_fn
    while not hasattr(node, "forest_pass"):
        node = node.next_functions[0][0]
    loss.backward(retain_graph=True)
    first = [p.grad.clone() for p in encoder.parameters() if p.grad is not None]
    assert node.forest_pass is None
    encoder.zero_grad()
    loss.backward()
    assert all(
        torch.equal(a, b) for a, b in zip(first, [p.grad for p in encoder.parameters() if p.grad is not None], strict=True)
    )
