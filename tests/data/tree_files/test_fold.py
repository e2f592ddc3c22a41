"""Nodes with many children are folded: no node is too wide, no child is lost, and few nodes are added."""

from __future__ import annotations

import numpy as np

from treesmu.data.tree_files.fold import ADDED, fold_wide
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.reading import PART, Reading

WIDE = ("f", *"abcdefgh" * 5, ("g", "a"))


def _folded(trees, reading):  # type: ignore[no-untyped-def]
    table = trees_in_memory(trees)
    symbol, tokens = reading.symbols(table)
    return table, symbol, fold_wide(symbol, table.arity, table.starts, reading), [*reading.vocab.functions, *tokens]


def test_children_stay_in_order_and_no_node_is_too_wide() -> None:
    reading = Reading.learn(trees_in_memory([WIDE, WIDE]), most_children=4)
    table, symbol, flat, names = _folded([("g", "a"), WIDE, ("g", "b")], reading)
    most = np.array([*reading.vocab.arities, 0])
    assert (flat.arity <= most[np.minimum(flat.symbol, len(reading.vocab.functions))]).all()
    kept = flat.origin != ADDED
    assert flat.origin[kept].tolist() == list(range(len(table.token)))  # every node once, in its order
    assert flat.symbol[kept].tolist() == symbol.tolist()
    assert {names[s] for s in flat.symbol[~kept]} == {"f" + PART}
    assert np.diff(flat.starts).tolist()[::2] == [2, 2]


def test_a_node_wider_than_all_of_training_is_folded_by_its_function() -> None:
    reading = Reading.learn(trees_in_memory(["(f a b c)", "(f a b c)"]))
    _, _, flat, names = _folded([("f", *"abcabcab")], reading)
    assert flat.arity.max() == 3
    assert {names[s] for s in flat.symbol[flat.origin == ADDED]} == {"f"}


def test_ten_thousand_children_add_a_seventh_of_nodes() -> None:
    wide = ("f", *["a"] * 10_000)
    _, _, flat, _ = _folded([wide], Reading.learn(trees_in_memory([wide, wide])))
    assert 0 < len(flat.symbol) - 10_001 <= 10_000 // 7 + 10


def test_narrow_rows_are_returned_as_they_are() -> None:
    reading = Reading.learn(trees_in_memory(["(f a b)", "(f a b)"]))
    table, symbol, flat, _ = _folded(["(f a b)"], reading)
    assert flat.symbol is symbol
    assert flat.arity is table.arity
