"""Variables that a vocabulary does not know are read under free names that it knows; nothing else is touched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import trees
from treesmu import parse
from treesmu.data import DataError, Forest, Vocab
from treesmu.data.augment.variable_names import (
    apply_with_known_names,
    exprs_with_known_names,
    unreadable_exprs,
    unreadable_texts,
    with_known_names,
)
from treesmu.expr import Expr, equation

VOCAB = Vocab.default()


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


def renamed(*texts: str, vocab: Vocab = VOCAB) -> list[str]:
    """Rename the prefix strings; the expressions themselves are renamed alike, or refused alike."""
    exprs = [parse(text) for text in texts]
    try:
        found: list[str] = with_known_names([prefix(text) for text in texts], vocab)
    except DataError as error:
        with pytest.raises(DataError, match=f"^{re.escape(str(error))}$"):
            exprs_with_known_names(exprs, vocab)
        raise
    assert [" ".join(e.prefix()) for e in exprs_with_known_names(exprs, vocab)] == found
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sin(theta) = 2 theta", "sin(x) = 2 x"),
        ("phi + theta = theta + phi", "x + y = y + x"),
        ("theta + x = x + theta", "y + x = x + y"),  # x is known and stays
        ("y + theta = x_1 + x", "y + z = w + x"),
        ("y = theta", "y = x"),
    ],
)
def test_unknown_variables_get_free_names_in_the_order_of_occurrence(before: str, after: str) -> None:
    assert renamed(before) == [prefix(after)]


def test_each_equation_is_renamed_for_itself() -> None:
    assert renamed("theta = 1", "phi = x", "y = z") == [prefix("x = 1"), prefix("y = x"), prefix("y = z")]


def test_expressions_that_are_compared_have_one_name_for_a_variable() -> None:
    assert renamed("theta", "theta + x", "phi") == ["y", "Add y x", "z"]


def test_what_is_known_comes_back_as_it_was() -> None:
    texts = pa.array([prefix("x + 0.25 = y"), prefix("7/13 = x")])
    assert with_known_names(texts, VOCAB) is texts
    assert with_known_names(pa.chunked_array([texts, [prefix("theta = 1")]]), VOCAB)[1:] == [texts[1].as_py(), prefix("x = 1")]


def test_canonical_names_are_lent_first_then_the_others_of_the_vocabulary() -> None:
    vocab = Vocab.from_tokens(["a", "theta", "x", "1"])
    assert renamed("phi + psi + chi = 1", vocab=vocab) == [prefix("x + a + theta = 1")]


def test_more_variables_than_the_vocabulary_has_is_an_error_that_names_the_row() -> None:
    many = "+".join("abcdfghjklm")
    with pytest.raises(DataError, match=r"^row 1: there are 11 different variables, and the vocabulary has 10$"):
        renamed("theta = x", f"{many} = 0")
    with pytest.raises(DataError, match=r"^in all these expressions: there are 11 different variables, and .* has 10$"):
        renamed(*"abcdfghjklm")


def test_unreadable_rows_are_named_with_the_reason() -> None:
    many = "+".join("abcdfghjklm")
    texts = ["theta = 0.123", "7/13 = x", "x = x", f"{many} = 0", "inf = 101 + 102 + 103 + 104"]
    exprs = [parse(text) for text in texts]
    prefixes = [" ".join(e.prefix()) for e in exprs]
    assert (
        unreadable_exprs(exprs, VOCAB)
        == unreadable_texts(pa.array(prefixes), VOCAB)
        == {
            1: "7/13 is not in the vocabulary",
            3: "there are 11 different variables, and the vocabulary has 10",
            4: "inf, 101, 102 and 2 more are not in the vocabulary",
        }
    )
    assert unreadable_exprs([parse("x = y")], VOCAB) == unreadable_exprs([], VOCAB) == unreadable_texts([], VOCAB) == {}


@given(st.lists(trees, min_size=2, max_size=6), st.booleans())
def test_expressions_are_renamed_as_their_prefix_strings_are(sides: list[Expr], is_equations: bool) -> None:
    exprs = [equation(left, right) for left, right in pairwise(sides)] if is_equations else sides
    with suppress(DataError):  # more variables than the vocabulary has; both refuse them
        renamed(*map(str, exprs))


def test_a_forest_is_made_of_renamed_expressions_only_where_names_are_unknown() -> None:
    calls: list[Sequence[Expr]] = []

    def make(exprs: Sequence[Expr]) -> Forest:
        calls.append(exprs)
        return Forest.from_exprs(exprs, VOCAB)

    known = [parse("x = y"), parse("sin(x) = 1")]
    assert apply_with_known_names(make, known, VOCAB).labels == Forest.from_exprs(known).labels
    assert calls == [known]
    assert apply_with_known_names(make, [*known, parse("theta = 1")], VOCAB).unbatch()[2] == ("Equality", ("x",), ("1",))
    with pytest.raises(DataError, match=r"^row 1: unknown leaf or function '7/13'"):
        apply_with_known_names(make, [parse("theta = 1"), parse("x = 7/13")], VOCAB)
    with pytest.raises(DataError, match=r"^row 0: there are 11 different variables"):
        apply_with_known_names(make, [parse("+".join("abcdfghjklm") + " = 7/13")], VOCAB)
