"""A hidden layer between the states of the children and z."""

from __future__ import annotations

from math import pi, sqrt, tanh

import pytest
import torch

from treesmu.data import Vocab
from treesmu.models.wiring.base import GateSizes
from treesmu.models.wiring.hidden_layer import TwoLayers, gelu, gelu_down

VOCAB = Vocab(("f", "g"), (1, 2), ("a",))
SIZES = GateSizes(n=1, width=1, forget=1)


def g(x: float) -> float:
    """Return gelu by its formula."""
    return x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


def filled(child_sum: bool) -> TwoLayers:
    """Return two layers whose first weights are all 1 with bias 0.5, and whose second weights are all 2 with bias -1."""
    wiring = TwoLayers(SIZES, VOCAB, 0, {}, child_sum, columns=3).double()
    with torch.no_grad():
        for name, parameter in wiring.named_parameters():
            first, is_bias = name.startswith("hidden"), name.endswith("bias")
            parameter.fill_((0.5 if is_bias else 1.0) if first else (-1.0 if is_bias else 2.0))
    return wiring


H = torch.tensor([[[0.3], [0.4]]]).double()  # (1 node, 2 children, n)


def test_all_columns_of_z_see_the_whole_hidden_layer() -> None:
    z = 3 * 2 * g(0.3 + 0.4 + 0.5) - 1  # three hidden columns
    torch.testing.assert_close(filled(child_sum=False)(H, None, [(1, 1)]), torch.tensor([[z, z, z]]).double())


def test_with_child_sum_the_hidden_layer_of_a_forget_gate_sees_its_child_alone() -> None:
    z = [3 * 2 * g(i + 0.5) - 1 for i in (0.7, 0.3, 0.4)]
    torch.testing.assert_close(filled(child_sum=True)(H, None, [(1, 1)]), torch.tensor([z]).double())


def test_the_gradient_of_gelu_is_that_of_finite_differences() -> None:
    x = torch.linspace(-4, 4, 41).double()
    step = 1e-6
    slope = (gelu(x + step) - gelu(x - step)) / (2 * step)
    torch.testing.assert_close(gelu_down(torch.full_like(x, 3.0), x), 3 * slope, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("child_sum", [False, True])
def test_the_layers_of_a_function_give_its_z(child_sum: bool) -> None:
    torch.manual_seed(1)
    wiring = TwoLayers(GateSizes(n=3, width=6, forget=3), VOCAB, 0, {}, child_sum, columns=4)
    for function, arity in enumerate(VOCAB.arities):
        h = torch.randn(1, arity, 3)
        (weights, bias), (second, second_bias) = wiring.affine(function), wiring.second_layer(function)
        z = gelu(torch.einsum("an,anc->c", h[0], weights) + bias) @ second + second_bias
        torch.testing.assert_close(z, wiring(h, None, [(function, 1)])[0])
