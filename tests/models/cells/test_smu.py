"""Tree-SMU gives values that were worked out by hand."""

from __future__ import annotations

import pytest
import torch

from golden_cells import FF, FFF, LN3, F, G, golden, roots, stacks
from samples import FIXED, FIXED_TREES, How, each_implementation, encoder_of
from treesmu.data import Forest
from treesmu.models import TreeSMU


@each_implementation
def test_tree_smu_worked_by_hand(how: How) -> None:
    # n = 1, p = 2. Of f: u = 1/2, o = 3/4, forget gate 1/2; s of push, no-op, pop: 3/4, 1/2, 1/4, and their sum is 3/2, so
    # push = 1/2, no-op = 1/3, pop = 1/6.
    #   f(x):    C = [0, 0],         S = [1/2·1/2, 0] = [1/4, 0],                                       h = 3/4 tanh(1/4)
    #   f(f(x)): C = [1/8, 0],       S = [1/4 + 1/6·0 + 1/3·1/8, 1/2·1/8 + 1/3·0] = [7/24, 1/16],       h = 3/4 tanh(7/24)
    #   f³(x):   C = [7/48, 1/32],   S = [1/4 + 1/6·1/32 + 1/3·7/48, 1/2·7/48 + 1/3·1/32] = [175/576, 1/12]
    # Of g: o = 1/2, push = no-op = pop = 1/3, forget gates 1/2 and 1/4, u = tanh(2 h_l - h_r).
    #   g(f(f(x)), f(x)): u = tanh(2·0.2127511 - 0.1836890) = 0.2372076
    #     C = [1/2·7/24 + 1/4·1/4, 1/2·1/16 + 1/4·0] = [5/24, 1/32]
    #     S = [(0.2372076 + 1/32 + 5/24)/3, (5/24 + 0 + 1/32)/3] = [0.1589303, 23/288],    h = 1/2 tanh(0.1589303) = 0.0788028
    unary, binary = [LN3 / 2, LN3, LN3, 0.0, -LN3, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -LN3]
    encoder = golden(TreeSMU(1, stack=2), unary, binary, how)
    wanted = [0.183688996802782, 0.212751067633097, 0.221103019147255, 0.0788027813703296]
    assert roots(encoder, F, FF, FFF, G) == pytest.approx(wanted, rel=1e-13)
    found = stacks(encoder, F, FF, FFF, G)
    assert found[:3] == [pytest.approx(s) for s in ([1 / 4, 0], [7 / 24, 1 / 16], [175 / 576, 1 / 12])]
    assert found[3] == pytest.approx([0.158930311679701, 23 / 288])


@each_implementation
def test_tree_smu_with_top_2_worked_by_hand(how: How) -> None:
    # As before, and g_0 = 3/4, g_1 = 1/4: h of f(f(x)) is 3/4 tanh(3/4·7/24 + 1/4·1/16) = 3/4 tanh(15/64).
    unary, binary = [LN3 / 2, LN3, LN3, 0.0, -LN3, LN3, -LN3, 0.0], [0.0] * 9
    assert roots(golden(TreeSMU(1, stack=2, top=2), unary, binary, how), FF) == [pytest.approx(0.1726317832741, rel=1e-12)]


@each_implementation
def test_tree_smu_with_softmax_worked_by_hand(how: How) -> None:
    # push, no-op, pop = exp(3/4), exp(1/2), exp(1/4) over their sum 5.0497469: 0.4192290, 0.3264958, 0.2542752.
    #   f(x):    S = [0.4192290·1/2, 0],          h = 3/4 tanh(0.2096145) = 0.1549481
    #   f(f(x)): C = [0.1048072, 0]
    #            S = [0.2096145 + 0.3264958·0.1048072, 0.4192290·0.1048072] = [0.2438336, 0.0439382],   h = 0.1793351
    encoder = golden(TreeSMU(1, stack=2, normalise="softmax"), [LN3 / 2, LN3, LN3, 0.0, -LN3, 0.0], [0.0] * 7, how)
    assert roots(encoder, F, FF) == pytest.approx([0.154948095064864, 0.179335097561480], rel=1e-13)
    assert stacks(encoder, FF)[0] == pytest.approx([0.243833602541673, 0.0439382284669416], rel=1e-13)


def test_softmax_of_squashed_gates_keeps_each_of_three_between_0_155_and_0_577() -> None:
    encoder = encoder_of(("smu", {"normalise": "softmax"}), hidden=8)
    with torch.no_grad():
        for parameter in encoder.wiring.parameters():
            parameter.mul_(50)
    trace = encoder.trace(Forest.from_trees(FIXED_TREES, FIXED))
    gates = torch.stack([trace[name] for name in ("push", "no_op", "pop")]).nan_to_num(1 / 3)  # NaN at leaves
    assert 0.155 < gates.min() < 0.16
    assert 0.57 < gates.max() < 0.577
