"""Variables that a vocabulary does not know are read under free names that it knows; nothing else is touched."""

from __future__ import annotations

import pyarrow as pa
import pytest

from treesmu import parse
from treesmu.data import DataError, Vocab
from treesmu.data.augment.variable_names import unreadable, with_known_names

VOCAB = Vocab.default()


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


def renamed(*texts: str, vocab: Vocab = VOCAB) -> list[str]:
    return with_known_names([prefix(text) for text in texts], vocab)


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
    assert unreadable([prefix(text) for text in texts], VOCAB) == {
        1: "7/13 is not in the vocabulary",
        3: "there are 11 different variables, and the vocabulary has 10",
        4: "inf, 101, 102 and 2 more are not in the vocabulary",
    }
    assert unreadable(["Equality x y"], VOCAB) == unreadable([], VOCAB) == {}
