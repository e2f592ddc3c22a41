"""The wiring that concatenates the children's states."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import Vocab
from treesmu.models.wiring.base import GateSizes
from treesmu.models.wiring.concatenated import Concatenated

VOCAB = Vocab(("f", "g"), (1, 2), ("a",))


@pytest.fixture
def wiring() -> Concatenated:
    """n = 1 with forget gates: of g, z = 2 h_1 - h_2 + 1, f_1 = h_1 and f_2 = 10 h_2."""
    found = Concatenated(GateSizes(n=1, width=1, forget=1), VOCAB, 0, {})
    with torch.no_grad():
        found.of(2).weight[0] = torch.tensor([[2.0, 1.0, 0.0], [-1.0, 0.0, 10.0]])  # (children, columns)
        found.of(2).bias[0] = torch.tensor([1.0, 0.0, 0.0])  # type: ignore[index]
    return found


def test_every_child_has_weights_of_its_own(wiring: Concatenated) -> None:
    h = torch.tensor([[[5.0], [7.0]]])  # (1 node, 2 children, n)
    assert wiring(h, None, [(1, 1)]).tolist() == [[2 * 5 - 7 + 1, 5, 70]]


def test_there_is_one_parameter_for_all_functions_of_an_arity(wiring: Concatenated) -> None:
    assert {name: tuple(weight.shape) for name, weight in wiring.named_parameters()} == {
        "gates.1.weight": (1, 1, 2), "gates.1.bias": (1, 2), "gates.2.weight": (1, 2, 3), "gates.2.bias": (1, 3),
    }  # fmt: skip


def test_the_affine_map_of_a_function_gives_its_z() -> None:
    torch.manual_seed(1)
    wiring = Concatenated(GateSizes(n=3, width=6, forget=3), VOCAB, 0, {})
    for function, arity in enumerate(VOCAB.arities):
        h = torch.randn(1, arity, 3)
        weights, bias = wiring.affine(function)
        torch.testing.assert_close(torch.einsum("an,anc->c", h[0], weights) + bias, wiring(h, None, [(function, 1)])[0])
