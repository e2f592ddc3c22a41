"""Interning numbers nodes by height, symbol and children, and finds every distinct node once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treesmu.data.trees.intern import distinct, intern, is_new, number_nodes

# f(a, b), f(b, a), f(a, b) again, and g(f(a, b)); symbols: f 0, g 1, a 2, b 3
SYMBOL = np.array([3, 2, 0, 0, 1, 2, 0], np.int32)
CHILDREN = np.array([[-1, -1, 1, 0, 6, -1, 5], [-1, -1, 0, 1, -1, -1, 0]], np.int32)
HEIGHT = np.array([0, 0, 1, 1, 2, 0, 1], np.int32)


def test_equal_nodes_get_one_number_in_the_order_of_height_symbol_and_children() -> None:
    number, representative, level_starts = intern(SYMBOL, CHILDREN, HEIGHT)
    assert number[:-1].tolist() == [1, 0, 2, 3, 4, 0, 2]  # a, b, f(a, b), f(b, a), g
    assert SYMBOL[representative].tolist() == [2, 3, 0, 0, 1]
    assert level_starts.tolist() == [0, 2, 4, 5]


def test_without_sharing_every_node_has_its_own_number() -> None:
    number, representative, level_starts = number_nodes(SYMBOL, CHILDREN, HEIGHT, share=False)
    assert sorted(number.tolist()) == list(range(7))
    assert SYMBOL[representative].tolist() == [2, 2, 3, 0, 0, 0, 1]
    assert level_starts.tolist() == [0, 3, 6, 7]


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_are_sorted(values: list[int]) -> None:
    assert distinct(np.array(values, np.int64)).tolist() == sorted(set(values))


def test_a_value_is_new_if_it_differs_from_the_one_before() -> None:
    assert is_new(np.array([4, 4, 5, 4])).tolist() == [True, False, True, True]
    assert is_new(np.array([], np.int64)).tolist() == []
