"""Tree-LSTM gives values that were worked out by hand."""

from __future__ import annotations

import pytest

from golden_cells import FF, LN3, F, G, golden, memories, roots
from samples import How, each_implementation
from treesmu.models import TreeLSTM


@each_implementation
def test_tree_lstm_worked_by_hand(how: How) -> None:
    # n = 1. Of f: u = 1/2, i = 3/4, o = 3/4, forget gate 1/2.
    #   f(x):    c = 3/4·1/2 = 3/8,               h = 3/4 tanh(3/8) = 0.2687680
    #   f(f(x)): c = 3/8 + 1/2·3/8 = 9/16,        h = 3/4 tanh(9/16) = 0.3823725
    # Of g: i = o = 1/2, forget gates 1/2 and 1/4, u = tanh(2 h_l - h_r).
    #   g(f(f(x)), f(x)): u = tanh(2·0.3823725 - 0.2687680) = 0.4589473
    #                     c = 1/2·0.4589473 + 1/2·9/16 + 1/4·3/8 = 0.6044737,    h = 1/2 tanh(0.6044737) = 0.2701126
    encoder = golden(TreeLSTM(1), [LN3 / 2, LN3, LN3, 0.0], [0.0, 0.0, 0.0, 0.0, -LN3], how)
    assert roots(encoder, F, FF, G) == pytest.approx([0.268768048763089, 0.382372480301442, 0.270112638694307], rel=1e-13)


@each_implementation
def test_the_memory_is_c_and_not_what_the_output_gate_lets_through(how: How) -> None:
    # Of f: u = 1/2, i = 3/4, forget gate 1/2 as above, and o = 0: c is 3/8 and 9/16 all the same.
    encoder = golden(TreeLSTM(1), [LN3 / 2, LN3, -800.0, 0.0], [0.0] * 5, how)
    assert roots(encoder, F, FF) == [0.0, 0.0]
    assert memories(encoder, F, FF) == pytest.approx([3 / 8, 9 / 16])
