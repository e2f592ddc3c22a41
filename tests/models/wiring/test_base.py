"""Affine maps with weights for each function."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from treesmu.models.wiring.base import FunctionWeights, GateSizes, sorted_functions, with_inputs


@pytest.fixture
def weights() -> FunctionWeights:
    """Two functions of two inputs and one output: x + 10 y + 0.5 and 2 x - y."""
    found = FunctionWeights(2, 2, 1)
    with torch.no_grad():
        found.weight.copy_(torch.tensor([[[1.0], [10.0]], [[2.0], [-1.0]]]))
        assert found.bias is not None
        found.bias.copy_(torch.tensor([[0.5], [0.0]]))
    return found


def test_each_group_of_rows_uses_the_weights_of_its_function(weights: FunctionWeights) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert weights(x, [(1, 1), (0, 2)]).flatten().tolist() == [2 - 2, 43.5, 65.5]
    assert weights(x, [(0, 3)]).flatten().tolist() == [21.5, 43.5, 65.5]


def test_without_a_bias_there_is_none_to_add() -> None:
    weights = FunctionWeights(1, 2, 1, bias=False)
    weights.weight.data = torch.tensor([[[1.0], [10.0]]])
    assert weights(torch.tensor([[1.0, 2.0]]), [(0, 1)]).tolist() == [[21.0]]
    assert [bias for _, bias in weights.by_function()] == [None]


def test_initial_weights_are_those_of_a_linear_layer() -> None:
    torch.manual_seed(1)
    weights = FunctionWeights(3, 16, 200)
    for parameter in weights.parameters():
        assert 0.24 < parameter.abs().max() <= 0.25  # one over the square root of 16
        assert abs(parameter.mean()) < 0.02


def test_the_gradient_of_a_function_that_is_absent_is_0(weights: FunctionWeights) -> None:
    x, dz = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0], [10.0]])
    found = weights.weight_gradient(x, dz, np.array([1, 1]))
    assert found.flatten(1).tolist() == [[0.0, 0.0], [31.0, 42.0]]


def test_functions_are_sorted_and_their_rows_stay_in_order() -> None:
    functions, order = sorted_functions(np.array([2, 0, 2, 1, 0]))
    assert functions.tolist() == [0, 0, 1, 2, 2]
    assert order.tolist() == [1, 4, 3, 0, 2]


def test_inputs_stand_behind_the_states() -> None:
    states = torch.ones(2, 3)
    assert with_inputs(states, None) is states
    assert with_inputs(states, torch.zeros(2, 1)).tolist() == [[1.0, 1.0, 1.0, 0.0]] * 2


def test_forget_gates_stand_behind_the_other_columns() -> None:
    sizes = GateSizes(n=2, width=5, forget=2)
    assert [sizes.columns(arity) for arity in range(3)] == [5, 7, 9]
    assert [sizes.forget_columns(k) for k in range(2)] == [slice(5, 7), slice(7, 9)]
    assert GateSizes(n=2, width=5, forget=0).columns(3) == 5
