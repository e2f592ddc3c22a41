"""The wiring that adds up the children's states."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import Vocab
from treesmu.models.wiring.base import GateSizes
from treesmu.models.wiring.child_sum import ChildSum

VOCAB = Vocab(("f", "g"), (1, 2), ("a",))


@pytest.fixture
def wiring() -> ChildSum:
    """n = 1 with forget gates: z = 2 (h_1 + h_2) + 1, and f_k = 3 h_k - 1."""
    found = ChildSum(GateSizes(n=1, width=1, forget=1), VOCAB, 0, {})
    assert found.forget is not None
    with torch.no_grad():
        for weights, (weight, bias) in ((found.gates, (2.0, 1.0)), (found.forget, (3.0, -1.0))):
            weights.weight.fill_(weight)
            weights.bias.fill_(bias)  # type: ignore[union-attr]
    return found


def test_children_are_added_and_each_has_a_forget_gate_from_its_own_state(wiring: ChildSum) -> None:
    h = torch.tensor([[[5.0], [7.0]]])  # (1 node, 2 children, n)
    assert wiring(h, None, [(1, 1)]).tolist() == [[2 * 12 + 1, 3 * 5 - 1, 3 * 7 - 1]]
    assert wiring(h[:, :1], None, [(0, 1)]).tolist() == [[2 * 5 + 1, 3 * 5 - 1]]


def test_the_forget_gate_of_a_child_does_not_depend_on_another_child(wiring: ChildSum) -> None:
    weights, bias = wiring.affine(1)
    assert weights[:, 0].tolist() == [[2.0, 3.0, 0.0], [2.0, 0.0, 3.0]]
    assert bias.tolist() == [1.0, -1.0, -1.0]


def test_the_affine_map_of_a_function_gives_its_z() -> None:
    torch.manual_seed(1)
    wiring = ChildSum(GateSizes(n=3, width=6, forget=3), VOCAB, 0, {})
    for function, arity in enumerate(VOCAB.arities):
        h = torch.randn(1, arity, 3)
        weights, bias = wiring.affine(function)
        torch.testing.assert_close(torch.einsum("an,anc->c", h[0], weights) + bias, wiring(h, None, [(function, 1)])[0])
