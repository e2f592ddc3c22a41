"""The tree in a terminal: the same for ever for fixed values, and as wide as the terminal allows."""

from __future__ import annotations

import numpy as np
import pytest

from traces import fixed_trace, small_model
from treesmu.expr import parse
from treesmu.trace import Trace
from treesmu.trace.terminal import draw_text

GOLDEN = """\
x + x = 2*x
tree-smu: P(correct) 87.5%, distance of the sides' states 3.61

         push  no-op  pop   stack  |h|   o  f
=
├─ +     ▅ 60  ▃ 30   ▁ 10  ██░░   5.00  █  ▁█  x + x
│  ├─ x                     ····   1.00
│  └─ x                     ····   1.00
└─ ×     ▅ 60  ▃ 30   ▁ 10  ▓▓░░   2.00  █  ▁█  2*x
   ├─ 2                     ····   1.00
   └─ x                     ····   1.00

▁█ push/no-op/pop in %   ·█ stack rows, top first: norm 0 to 5.00   |h| norm of the state   f kept of each child's memory
"""
NARROW = """\
x + x = 2*x
tree-smu: P(correct) 87.5%, di
stance of the sides' states 3.
61

         pu  no  po  stack
=
|- +     +   -   _   #-
|  |- x              ..
|  `- x              ..
`- *     +   -   _   *-
   |- 2              ..
   `- x              ..

_# push/no-op/pop in %
.# stack rows, top first: norm
0 to 5.00
"""


def test_the_drawing_of_fixed_values() -> None:
    assert "\n".join(draw_text(fixed_trace())) + "\n" == GOLDEN


def test_a_narrow_terminal_without_blocks() -> None:
    assert "\n".join(draw_text(fixed_trace(), 30, ascii_only=True)) + "\n" == NARROW


@pytest.mark.parametrize("width", [40, 50, 60, 70, 80, 100, 140])
@pytest.mark.parametrize("name", ["tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn"])
def test_no_line_is_wider_than_the_terminal_and_every_node_has_one(name: str, width: int) -> None:
    trace = small_model(name).trace("(sinh(x) + cosh(x))^3*(1 + ln(1.2345678 + y^2)) = sinh(3x) + cosh(3x)")
    lines = list(draw_text(trace, width))
    assert max(map(len, lines)) <= width
    first = lines.index("=") + 1
    shown = [line[:60] for line in lines[first : first + len(trace)]]
    assert all(node.symbol in line for node, line in zip(trace.nodes, shown, strict=True))


def test_a_wide_terminal_shows_each_sub_expression() -> None:
    lines = list(draw_text(small_model().trace("sin(x)^2 + cos(x)^2 = 1"), 100))
    assert any(line.endswith("sin(x)^2 + cos(x)^2") for line in lines[4:])


def test_colours_only_if_they_are_wanted_and_without_them_the_same_text() -> None:
    plain, coloured = fixed_trace().text(80), fixed_trace().text(80, colour=True)
    assert "\033" not in plain
    assert "\033[38;5;32m▅ 60" in coloured
    for code in ("38;5;32", "38;5;208", "90", "0"):
        coloured = coloured.replace(f"\033[{code}m", "")
    assert coloured == plain


def test_a_tree_deeper_than_the_terminal_keeps_the_symbols() -> None:
    trace = small_model().trace("sin(" * 60 + "x" + ")" * 60)
    lines = list(draw_text(trace, 60))
    assert max(map(len, lines)) <= 60
    assert sum("sin" in line for line in lines[3:]) >= 60


def test_a_model_without_memory_shows_norms_only() -> None:
    trace = Trace.from_rows(parse("sin(x)"), {"h": np.array([[3.0, 4.0], [1e6, 0.0]])}, 0, model="m")
    assert list(draw_text(trace, 40)) == [
        "sin(x)",
        "m",
        "",
        "      |h|",
        "sin   5.00   sin(x)",
        "└─ x  1e+06",
        "",
        "|h| norm of the state",
    ]
