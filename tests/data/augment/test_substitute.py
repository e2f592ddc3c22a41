"""Copies of equations: sub-expressions are replaced by equal ones, labels stay, and no copy is deeper."""

from __future__ import annotations

from random import Random

import numpy as np

from corpora import many_rows
from treesmu.data import CorpusPlan, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.substitute import Substitution
from treesmu.expr import check_many, from_prefix, parse

ROWS = ["sin(x)^2 + cos(x)^2 = 1", "tan(x) = sin(x)/cos(x)", "x + y = y + x", "tan(x) + 1 = y", "exp(1)*tan(x) = z"]


def substitution(texts: list[str]) -> Substitution:
    plan = CorpusPlan.from_prefix([" ".join(parse(text).prefix()) for text in texts], Vocab.default())
    return Substitution(plan, NodeValues.of(plan))


def copies(texts: list[str], row: int, count: int = 300) -> set[str]:
    made, rng = substitution(texts), Random(1)
    return {str(from_prefix(made.copy(row, rng).split())) for _ in range(count)}


def test_an_equal_sub_expression_of_the_corpus_comes_in_if_it_is_not_higher() -> None:
    assert copies(ROWS, 0) == {"sin(x)^2 + cos(x)^2 = 1", "1 = 1"}
    assert copies(ROWS, 1) >= {"tan(x) = sin(x)/cos(x)", "tan(x) = tan(x)"}
    assert not any("sin(x)/cos(x)" in copy for copy in copies(ROWS, 3))  # higher than the tan(x) that it would replace
    assert copies(ROWS, 2) == {"x + y = y + x", "x + y = x + y", "y + x = y + x", "y + x = x + y"}


def test_what_has_no_equal_and_what_is_defined_nowhere_stays() -> None:
    assert copies(["sin(x) = cos(y)"], 0) == {"sin(x) = cos(y)"}
    assert copies(["asin(2) = 1/0", "acos(3) = 1"], 0) == {"asin(2) = 1/0"}


def test_labels_stay_and_no_copy_is_deeper() -> None:
    rows = many_rows(200)
    made, rng = substitution([text for text, _, _ in rows]), Random(2)
    found = [from_prefix(made.copy(row, rng).split()) for row in range(len(rows))]
    assert [verdict.label == "correct" for verdict in check_many(found)] == [label == 1 for _, label, _ in rows]
    given = [parse(text) for text, _, _ in rows]
    assert all(copy.depth <= e.depth for copy, e in zip(found, given, strict=True))
    assert np.mean([copy is not e for copy, e in zip(found, given, strict=True)]) > 0.3


def test_the_same_rng_gives_the_same_copies() -> None:
    made = substitution(ROWS)
    one, other = ([made.copy(row, rng) for row in range(5)] for rng in (Random(7), Random(7)))
    assert one == other
