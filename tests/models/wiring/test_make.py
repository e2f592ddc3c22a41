"""The wiring that a cell asks for."""

from __future__ import annotations

import pytest

from treesmu.data import Vocab
from treesmu.models import TreeLSTM, TreeRNN
from treesmu.models.wiring.child_sum import ChildSum
from treesmu.models.wiring.concatenated import Concatenated
from treesmu.models.wiring.hidden_layer import TwoLayers
from treesmu.models.wiring.make import make_wiring

VOCAB = Vocab(("f", "g"), (1, 2), ("a",))


def test_cells_choose_how_children_are_combined() -> None:
    assert isinstance(make_wiring(TreeLSTM(3), VOCAB, 0), Concatenated)
    assert isinstance(make_wiring(TreeLSTM(3, child_sum=True), VOCAB, 0), ChildSum)


def test_a_hidden_layer_has_expansion_times_n_columns() -> None:
    wiring = make_wiring(TreeRNN(3, layers=1, depth=2, expansion=5), VOCAB, inputs=2)
    assert isinstance(wiring, TwoLayers)
    assert {name: tuple(weight.shape) for name, weight in wiring.named_parameters()} == {
        "hidden.gates.1.weight": (1, 3 + 2, 15), "hidden.gates.1.bias": (1, 15),
        "hidden.gates.2.weight": (1, 6 + 2, 15), "hidden.gates.2.bias": (1, 15),
        "second.gates.1.weight": (1, 15, 3), "second.gates.1.bias": (1, 3),
        "second.gates.2.weight": (1, 15, 3), "second.gates.2.bias": (1, 3),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "message"), [({"depth": 3}, "depth must be 1, or 2"), ({"expansion": 0}, "expansion must")]
)
def test_other_depths_are_refused(settings: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeLSTM(3, **settings)  # type: ignore[arg-type]
