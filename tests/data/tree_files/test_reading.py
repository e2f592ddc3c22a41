"""A reading is learned from training rows: which labels are symbols, values or unknown."""

from __future__ import annotations

import pytest

from treesmu.data import DataError
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.reading import UNKNOWN, Reading


def test_labels_that_occur_twice_are_known_and_others_are_unknown() -> None:
    reading = Reading.learn(trees_in_memory(["(f a a b b)", "(f a c)", "(g a)"]))
    assert reading.vocab.leaves == ("a", "b", UNKNOWN)
    assert dict(zip(reading.vocab.functions, reading.vocab.arities, strict=True)) == {"f": 4, UNKNOWN: 8}
    symbol, tokens = reading.symbols(trees_in_memory(["(h d a)"]))
    names = [*reading.vocab.functions, *tokens]
    assert [names[s] for s in symbol] == [UNKNOWN, UNKNOWN, "a"]


def test_without_rare_labels_a_new_one_is_an_error_that_names_it() -> None:
    reading = Reading.learn(trees_in_memory(["(f a a)", "(f b b)"]))
    assert UNKNOWN not in (*reading.vocab.leaves, *reading.vocab.functions)
    with pytest.raises(DataError, match="tree 1: unknown leaf 'z'; known: a, b; training had no rare labels"):
        reading.symbols(trees_in_memory(["(f a)", "(f z)"]))
    with pytest.raises(DataError, match="tree 0: unknown function 'z'; known: f"):
        reading.symbols(trees_in_memory(["(z a)"]))


def test_few_numbers_are_symbols_and_many_are_values() -> None:
    few = Reading.learn(trees_in_memory([("f", i % 10, i % 10) for i in range(40)]))
    assert few.vocab.leaves == tuple("0123456789")
    assert not few.vocab.numbers
    many = Reading.learn(trees_in_memory([("f", i, "x") for i in range(100)]))
    assert (many.vocab.leaves, many.vocab.numbers) == (("x",), True)
    assert many.mean == pytest.approx(49.5)
    assert many.scale == pytest.approx((sum((i - 49.5) ** 2 for i in range(100)) / 100) ** 0.5)
    assert Reading.learn(trees_in_memory([("f", 1, 1)]), numbers="values").vocab.numbers
    assert not Reading.learn(trees_in_memory([("f", i, i) for i in range(100)]), numbers="symbols").vocab.numbers


def test_a_value_is_read_as_a_number_also_if_it_is_new() -> None:
    reading = Reading.learn(trees_in_memory([("f", i, "x") for i in range(100)] + [("f", 1, "x")]))
    symbol, tokens = reading.symbols(trees_in_memory([("f", 1e6, -0.5)]))
    assert [tokens[s - len(reading.vocab.functions)] for s in symbol[1:]] == ["1000000.0", "-0.5"]


def test_a_function_of_one_child_cannot_take_two() -> None:
    reading = Reading.learn(trees_in_memory(["(f a)", "(f a)"]))
    with pytest.raises(DataError, match="tree 1: unknown function 'f' with several children"):
        reading.symbols(trees_in_memory(["(f a)", "(f a a)"]))


def test_a_reading_is_stored_and_made_again() -> None:
    reading = Reading.learn(trees_in_memory([("f", i, "x") for i in range(100)]))
    assert Reading.from_dict(reading.vocab, reading.to_dict()) == reading
    with pytest.raises(ValueError, match="are not usable"):
        Reading.from_dict(reading.vocab, {"mean": 0.0, "scale": 0.0})


@pytest.mark.parametrize("tree", ["(f <unknown>)", "(<pair> a)", ("MAX <part>", "a"), "(<unknown> a)"])
def test_names_that_a_vocabulary_makes_are_refused(tree: object) -> None:
    with pytest.raises(DataError, match=r"tree 1: the label '.*' is reserved for labels that treesmu makes; rename it"):
        Reading.learn(trees_in_memory(["(f a)", tree]))


def test_leaves_that_are_too_large_to_be_values_are_refused() -> None:
    table = trees_in_memory([("f", 1e200), ("f", -1e200)])
    with pytest.raises(DataError, match="leaves have numbers larger than 1e"):
        Reading.learn(table, numbers="values")
    assert not Reading.learn(table, numbers="symbols").vocab.numbers
