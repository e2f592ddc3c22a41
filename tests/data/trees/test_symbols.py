"""Every token has one symbol; what a prefix string cannot express is refused."""

from __future__ import annotations

import pytest

from treesmu.data import CorpusPlan, Vocab
from treesmu.data.trees.symbols import Symbols

VOCAB = Vocab(("neg", "two"), (1, 2), ("a", "b"), "=", numbers=True)


def test_functions_leaves_and_decimals_are_numbered_in_this_order() -> None:
    symbols = Symbols(VOCAB)
    read, starts = symbols.read(["= a two b 0.50", "= 0.5 neg 0.50"])
    assert read.tolist() == [-1, 2, 1, 3, 4, -1, 5, 0, 4]
    assert starts.tolist() == [0, 5, 9]
    assert symbols.leaf_tokens == ["a", "b", "0.50", "0.5"]
    assert symbols.arity(read).tolist() == [2, 0, 2, 0, 0, 2, 0, 1, 0]


def test_an_unknown_token_has_no_symbol() -> None:
    assert Symbols(VOCAB).add("x") == Symbols.UNKNOWN
    assert Symbols(Vocab(("neg",), (1,), ("a",))).add("0.5") == Symbols.UNKNOWN


def test_a_label_that_is_leaf_and_function_cannot_be_read_from_prefix() -> None:
    with pytest.raises(ValueError, match="row 0: ',' is a function and a leaf"):
        CorpusPlan.from_prefix([", a"], Vocab((",",), (1,), (",", "a")))


def test_a_variadic_vocabulary_is_not_for_prefix_strings() -> None:
    with pytest.raises(ValueError, match=r"prefix strings need functions of a fixed arity; .* nested tuples only"):
        CorpusPlan.from_prefix(["two a b"], Vocab(("two",), (2,), VOCAB.leaves, variadic=True))
