"""Hashes of values: equal for equal values, whatever the trees; different for others."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.expr import leaf, parse
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers, equal_classes
from treesmu.expr.numeric.value_hashes import hash_expressions, value_hashes


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x + x", "2*x"),
        ("sin(pi)", "0"),
        ("x^0", "1"),
        ("x/x", "1"),
        ("tan(x)", "sin(x)/cos(x)"),
        ("0*y", "0"),
        ("x - 1", "-1 + x"),
    ],
)
def test_equal_values_have_one_hash(first: str, second: str) -> None:
    a, b = hash_expressions([parse(first), parse(second)]).tolist()
    assert a == b


@pytest.mark.parametrize(
    ("first", "second"), [("x", "y"), ("x", "-x"), ("exp(ln(x))", "x"), ("sqrt(x^2)", "x"), ("2", "2.0001")]
)
def test_other_values_or_domains_have_other_hashes(first: str, second: str) -> None:
    a, b = hash_expressions([parse(first), parse(second)]).tolist()
    assert a != b


def test_hashes_are_the_same_in_every_process() -> None:
    assert hash_expressions([parse("2*x")]).tolist() == [int(hash_expressions([parse("x + x")])[0])]
    assert value_hashes(np.array([[1.0, np.nan], [1.0, 2.0], [-0.0, 1e308], [0.0, 1e308]])).tolist() == [
        value_hashes(np.array([row]))[0] for row in ([1.0, np.nan], [1.0, 2.0], [0.0, 1e308], [0.0, 1e308])
    ]


def test_they_agree_with_the_equal_classes_of_fillers() -> None:
    fillers = enumerate_fillers(leaf(token) for token in FILLER_LEAVES[:9])
    classes, hashes = equal_classes(fillers), hash_expressions(fillers).tolist()
    has_value = [i for i, e in enumerate(fillers) if classes.count(classes[i]) > 1 or e.is_variable]
    assert len({classes[i] for i in has_value}) == len({hashes[i] for i in has_value})
    assert len({(classes[i], hashes[i]) for i in has_value}) == len({classes[i] for i in has_value})
