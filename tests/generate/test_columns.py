"""Columns of checked equations: they agree with the tree, and can be joined and filtered."""

from __future__ import annotations

import pytest

from treesmu.expr import from_prefix, parse
from treesmu.expr.padding import count_padding
from treesmu.generate.axioms import FAMILIES
from treesmu.generate.chains.shard import ShardSettings, grow_shard
from treesmu.generate.columns import CheckedEquation, EquationColumns, make_columns
from treesmu.generate.fingerprint import Fingerprints


@pytest.fixture(scope="module")
def rows() -> EquationColumns:
    return grow_shard(ShardSettings(FAMILIES, negatives=("near-miss", "mutation")), "columns", 30, 9)


def test_columns_agree_with_the_tree(rows):
    fingerprints = Fingerprints()
    for i, p in enumerate(rows.prefix):
        e = from_prefix(p.split())
        assert parse(rows.infix[i]) is e
        assert (e.depth, e.size, count_padding(e, {})) == (rows.depth[i], rows.size[i], rows.padding[i])
        assert int(fingerprints.of([e])[0]) == rows.fingerprint[i]


def test_equations_with_too_many_variables_are_left_out():
    texts = ["x + y = z + w", "x + y + z + w = u"]
    found = [CheckedEquation(parse(text), 0, i, "rewrite") for i, text in enumerate(texts)]
    assert make_columns(found, first_occurrence=False).chain == [0]


def test_rows_can_be_joined_and_filtered(rows):
    some = EquationColumns()
    some.extend(rows, [4, 2])
    some.extend(rows, [7])
    some.keep([0, 2])
    assert some.prefix == [rows.prefix[4], rows.prefix[7]]
    assert [len(column) for column in some.columns()] == [2] * len(some.columns())
