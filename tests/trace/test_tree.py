"""The nodes of a trace: one for each occurrence, with its own values."""

from __future__ import annotations

import numpy as np
import pytest

from traces import fixed_trace
from treesmu.errors import DataError
from treesmu.expr import from_prefix, parse
from treesmu.trace import Trace
from treesmu.trace.tree import MOST_NODES, check_size

TRACE = fixed_trace()


def test_every_occurrence_is_a_node_where_it_stands() -> None:
    assert [(node.path, node.function, node.symbol, node.depth) for node in TRACE.nodes] == [
        ((0,), "Add", "+", 1),
        ((0, 0), "x", "x", 2),
        ((0, 1), "x", "x", 2),
        ((1,), "Mul", "×", 1),
        ((1, 0), "2", "2", 2),
        ((1, 1), "x", "x", 2),
    ]
    assert TRACE.at((0, 0)) is not TRACE.at((0, 1))
    assert all(TRACE.expr.at(node.path) is node.expr for node in TRACE.nodes)


def test_children_and_sides_are_the_nodes_of_the_tree() -> None:
    left, right = TRACE.sides
    assert (left, right) == (TRACE.at((0,)), TRACE.at((1,)))
    assert left.children == (TRACE.at((0, 0)), TRACE.at((0, 1)))
    assert TRACE.at((1, 1)).children == ()


def test_numbers_of_a_node() -> None:
    node = TRACE.at((0,))
    assert node.norm == 5
    assert node.row_norms == [5, 1]
    assert node.rows_in_use == 2
    assert node.means["push"] == pytest.approx(0.6)
    assert node.forget == [0, 1]
    assert node.gates["f"].shape == (2, 2)


def test_leaves_have_no_gates_and_an_empty_stack() -> None:
    leaf = TRACE.at((1, 0))
    assert (leaf.gates, leaf.forget, leaf.row_norms, leaf.rows_in_use) == ({}, [], [0, 0], 0)


def test_what_the_whole_tree_has() -> None:
    assert TRACE.actions == ("push", "no_op", "pop")
    assert TRACE.other_gates == ("o",)  # u is a value, f belongs to children
    assert TRACE.largest_row == 5
    assert TRACE.distance == pytest.approx(np.sqrt(13))
    assert TRACE.is_finite


def test_a_node_is_compared_with_the_whole_other_side() -> None:
    left, right = TRACE.sides
    assert TRACE.distance_to_other_side(left) == TRACE.distance_to_other_side(right) == TRACE.distance
    assert TRACE.distance_to_other_side(TRACE.at((0, 1))) == pytest.approx(np.sqrt(5))  # (1, 0) and (0, 2)
    assert TRACE.distance_to_other_side(TRACE.at((1, 0))) == pytest.approx(np.sqrt(18))  # (0, 1) and (3, 4)


def test_a_value_outside_of_0_to_1_is_no_gate() -> None:
    trace = Trace.from_rows(parse("sin(x)"), {"h": np.ones((2, 1)), "first": np.array([[1.5], [np.nan]])}, 0, model="m")
    assert trace.other_gates == ()
    assert trace.nodes[0].means == {"first": 1.5}


def test_a_plain_expression_has_one_root_and_no_distance() -> None:
    trace = Trace.from_rows(parse("sin(x)"), {"h": np.ones((2, 3))}, 0, model="m")
    assert trace.sides == (trace.at(()),)
    assert trace.distance is None
    assert trace.distance_to_other_side(trace.at((0,))) is None
    assert trace.nodes[0].memory is None


def test_a_queue_shows_its_entries_and_a_vector_is_one_row() -> None:
    memory = np.arange(24, dtype=float).reshape(2, 4, 3)
    queue = Trace.from_rows(parse("sin(x)"), {"h": np.ones((2, 3)), "memory": memory}, 2, model="m").nodes[0]
    assert np.array_equal(queue.rows, memory[0, :2])
    assert np.array_equal(queue.memory, memory[0])  # type: ignore[arg-type]
    vector = Trace.from_rows(parse("sin(x)"), {"h": np.ones((2, 3)), "memory": memory[:, 0]}, 1, model="m").nodes[1]
    assert np.array_equal(vector.rows, memory[1, :1])


def test_values_that_are_not_finite_are_noticed() -> None:
    assert not Trace.from_rows(parse("x"), {"h": np.array([[np.inf]])}, 0, model="m").is_finite


def test_a_path_without_a_node_is_refused() -> None:
    with pytest.raises(IndexError, match=r"no node with a state at \(\)"):
        TRACE.at(())  # the equality


def test_an_expression_with_too_many_nodes_is_refused_at_once() -> None:
    e = parse("x + x")
    for _ in range(60):
        e = from_prefix(["Add", "x", "x"]).substitute({parse("x"): e})  # 2^60 occurrences, and few objects
    with pytest.raises(DataError, match=f"at most {MOST_NODES:,} can be traced: trace a part of it"):
        check_size(e)


def test_a_deep_expression_is_traced_without_recursion() -> None:
    depth = MOST_NODES - 1
    e = from_prefix(["sin"] * depth + ["x"])
    trace = Trace.from_rows(e, {"h": np.ones((depth + 1, 2))}, 0, model="m")
    assert trace.nodes[-1].depth == depth
    assert len(trace.svg()) > depth
    assert len(trace.text(40).splitlines()) > depth
