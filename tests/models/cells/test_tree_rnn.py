"""Tree-RNN gives values that were worked out by hand."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from golden_cells import FF, LN3, F, G, golden, roots
from samples import How, each_implementation
from treesmu.models import TreeRNN


@each_implementation
def test_one_layer_worked_by_hand(how: How) -> None:
    # f(x) = tanh(ln 3 / 2) = 1/2 for any x. g(f(f(x)), f(x)) = tanh(2·1/2 - 1/2 + 0) = tanh(1/2).
    encoder = golden(TreeRNN(1, layers=1), [LN3 / 2], [0.0], how)
    assert roots(encoder, F, FF, G) == pytest.approx([1 / 2, 1 / 2, 0.46211715726], rel=1e-10)


@each_implementation
def test_the_logistic_function_in_place_of_tanh(how: How) -> None:
    # f(x) = s(ln 3) = 3/4. g(f(f(x)), f(x)) = s(2·3/4 - 3/4) = s(3/4).
    encoder = golden(TreeRNN(1, layers=1, activation="sigmoid"), [LN3], [0.0], how)
    assert roots(encoder, F, FF, G) == pytest.approx([3 / 4, 3 / 4, 0.67917869917], rel=1e-10)


@each_implementation
def test_the_second_layer_is_applied_to_the_first(how: How) -> None:
    # First layer of f: v = 1/2. Second layer: h = tanh(3·1/2 - 1) = tanh(1/2) for f, with weight 3 and bias -1.
    encoder = golden(TreeRNN(1), [LN3 / 2], [0.0], how)
    second = encoder.wiring.linear("second")
    with torch.no_grad():
        second.weight[0], bias_of(second.bias)[0] = 3.0, -1.0
    assert roots(encoder, F, FF) == pytest.approx([0.46211715726] * 2, rel=1e-10)
    assert roots(encoder, G) == [0.0]  # the weights of g are others, and 0


def bias_of(bias: Tensor | None) -> Tensor:
    assert bias is not None
    return bias
