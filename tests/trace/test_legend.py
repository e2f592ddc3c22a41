"""The legend explains what the drawing has, and nothing else."""

from __future__ import annotations

import re

from traces import fixed_trace, small_model
from treesmu.trace.legend import legend_lines


def meanings(lines: list[str]) -> list[str]:
    return re.findall(r'y="10">([^<]*)<', "".join(lines))


def test_a_stack() -> None:
    assert meanings(legend_lines(fixed_trace(), 2000)) == [
        "push",
        "no-op",
        "pop",
        "stack rows, top first: norm from 0 to 5.00",
        "norm of the state",
        "forget gate: how much of the child's memory is kept",
    ]


def test_a_memory_of_one_row_and_scaled_states() -> None:
    trace = small_model("tree-lstm").trace("sin(x)")
    found = meanings(legend_lines(trace, 2000))
    assert found[:2] == ["gate i", "gate o"]
    assert found[2].startswith("memory: norm from 0 to ")
    assert "norm of the state, which this model scales to 1" in meanings(legend_lines(fixed_trace(normalised="unit"), 2000))


def test_no_memory() -> None:
    assert meanings(legend_lines(small_model("tree-rnn").trace("sin(x)"), 2000)) == ["norm of the state"]


def test_lines_break_where_the_width_ends() -> None:
    wide, narrow = legend_lines(fixed_trace(), 2000), legend_lines(fixed_trace(), 300)
    assert (len(wide), len(narrow)) == (1, 4)
    assert meanings(wide) == meanings(narrow)
