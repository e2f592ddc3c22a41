"""Run a pass over a forest as one differentiable operation of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..cells.base import Cell
from ..normalise import Norm
from ..wiring.base import Wiring
from .layout import Layout
from .passes import ForestPass

NewPass = Callable[[Tensor, Tensor | None, Tensor | None], ForestPass]  # from leaf states, inputs and dropout mask


def run(
    kind: type[ForestPass],
    cell: Cell,
    wiring: Wiring,
    layout: Layout,
    leaf_states: Tensor,
    inputs: Tensor | None,
    mask: Tensor | None,
    norm: Norm,
) -> Tensor:
    """Return the states of all nodes, (nodes, n), with gradients if PyTorch records them. The arguments are those of a pass."""

    def new_pass(leaf_states: Tensor, inputs: Tensor | None, mask: Tensor | None) -> ForestPass:
        return kind(cell, wiring, layout, leaf_states, inputs, mask, norm)

    if kind.is_recorded or not torch.is_grad_enabled():
        return new_pass(leaf_states, inputs, mask).up(is_kept=torch.is_grad_enabled())
    states: Tensor = _apply(_Up, new_pass, leaf_states, inputs, mask, *wiring.parameters())
    return states


def _apply(function: Any, *arguments: Any) -> Any:
    """Apply an autograd.Function, whose ``apply`` has no types."""
    return function.apply(*arguments)


class _Up(torch.autograd.Function):
    """``ForestPass.up``, whose gradient is ``ForestPass.down``."""

    @staticmethod
    def forward(ctx: Any, new_pass: NewPass, leaf_states: Tensor, *others: Tensor | None) -> Tensor:
        """Return the states. others: inputs, mask, and the weights, which the pass has too."""
        ctx.new_pass, ctx.forest_pass = new_pass, _detached(new_pass, leaf_states, *others[:2])
        ctx.save_for_backward(leaf_states, *others)  # so that autograd notices if a weight is changed in the meantime
        states: Tensor = ctx.forest_pass.up()
        return states

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        given = ctx.saved_tensors
        forest_pass, ctx.forest_pass = ctx.forest_pass, None  # free its memory afterwards, as autograd's own operations do
        if forest_pass is None:  # a second time, with retain_graph=True
            forest_pass = _detached(ctx.new_pass, *given[:3])
            forest_pass.up()
        if torch.is_grad_enabled():  # a graph of the gradients is asked for
            leaf_states, inputs, *weights = _apply(_Down, forest_pass, grad, *given)
        else:
            leaf_states, inputs, weights = forest_pass.down(grad)
        return None, leaf_states, inputs, None, *weights


class _Down(torch.autograd.Function):
    """``ForestPass.down`` as an operation without a gradient: a gradient of gradients raises an error."""

    @staticmethod
    def forward(ctx: Any, forest_pass: ForestPass, grad: Tensor, *given: Tensor | None) -> tuple[Tensor | None, ...]:
        del ctx, given
        leaf_states, inputs, weights = forest_pass.down(grad)
        return leaf_states, inputs, *weights

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        del ctx, grads
        raise RuntimeError("gradients of gradients need an encoder made with by_hand=False")


def _detached(new_pass: NewPass, leaf_states: Tensor, *others: Tensor | None) -> ForestPass:
    inputs, mask = (None if tensor is None else tensor.detach() for tensor in others)
    return new_pass(leaf_states.detach(), inputs, mask)
