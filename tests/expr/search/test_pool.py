"""The pool of fillers: one of each value, and every combination of height 2."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.expr import Expr, leaf, op
from treesmu.expr.numeric.equal_classes import enumerate_fillers
from treesmu.expr.numeric.value_hashes import hash_expressions
from treesmu.expr.numeric.values import ValueTable
from treesmu.expr.search import pool as module
from treesmu.expr.search.pool import ITSELF, POINTS, FillerPool, Rows, make_pool

LEAVES = (leaf("x"), leaf("1"), leaf("2"))
FUNCTIONS = (op("sin"), op("Add"), op("Pow"))


def everything(pool: FillerPool, point: int = 0) -> tuple[Rows, np.ndarray]:
    with np.errstate(all="ignore"):
        blocks = list(pool.blocks(point))
    return Rows.join([rows for rows, _ in blocks]), np.concatenate([values for _, values in blocks], axis=1)


def expressions(pool: FillerPool, rows: Rows) -> list[Expr]:
    return [pool.expression(*row) for row in zip(*(column.tolist() for column in rows), strict=True)]


def test_each_value_is_there_once_as_the_simplest_filler() -> None:
    pool = make_pool(LEAVES, (), FUNCTIONS, 1)
    assert [str(e) for e in pool.fillers] == [
        "x", "1", "2", "sin(x)", "sin(1)", "sin(2)", "x + x", "x + 1", "x + 2", "1 + 2", "2 + 2", "x^x", "x^2", "2^x",
    ]  # fmt: skip
    assert (pool.parts, len(everything(pool)[0])) == (0, 14)
    assert make_pool(LEAVES, (), FUNCTIONS, 0).fillers == list(LEAVES)


@pytest.mark.parametrize("block", [7, 1 << 17])
def test_every_expression_of_height_2_has_an_equal_in_the_pool_with_its_values(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    functions = (op("sin"), op("Add"), op("Mul"))
    pool = make_pool(LEAVES[:2], (), functions, 2)
    rows, values = everything(pool, 3)
    found = expressions(pool, rows)
    assert max(e.depth for e in found) == 2
    assert pool.size(rows).tolist() == [e.size for e in found]
    expected = ValueTable(POINTS).values(found).plain[:, 3]
    assert np.allclose(values[0], expected, rtol=1e-12, equal_nan=True)
    with np.errstate(all="ignore"):
        assert np.array_equal(pool.values_of(rows, 3), values, equal_nan=True)
    every = enumerate_fillers(enumerate_fillers(LEAVES[:2], functions), functions)
    known = set(hash_expressions(found).tolist())
    assert [e for e, value in zip(every, hash_expressions(every).tolist(), strict=True) if value not in known] == []


def test_further_numbers_are_arguments_at_height_2_but_not_below() -> None:
    pool = make_pool((leaf("x"),), (leaf("7"),), (op("sin"), op("Add")), 2)
    found = {str(e) for e in expressions(pool, everything(pool)[0])}
    assert {"7", "x + 7", "sin(x) + 7", "sin(sin(x))"} <= found
    assert "sin(7)" in found
    assert "sin(sin(7))" not in found


def test_the_number_of_arguments_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PARTS", 4)
    pool = make_pool((leaf("x"), leaf("1"), leaf("3")), (), FUNCTIONS, 2)
    assert pool.parts == 4
    rows = everything(pool)[0]
    assert rows.first[rows.function != ITSELF].max() == 3


def test_only_constants_without_a_value_are_known_to_have_none_anywhere() -> None:
    pool = make_pool((leaf("x"), leaf("2")), (), (op("acos"), op("Add")), 2)
    rows, _ = everything(pool)
    with np.errstate(all="ignore"):
        has_value = pool.has_value(rows, 0)
        values = ValueTable(POINTS).values(expressions(pool, rows)).plain
    constant = np.array([e.is_constant for e in expressions(pool, rows)])
    assert has_value[~constant].all()
    assert (has_value[constant] == ~np.isnan(values[constant]).all(axis=1)).all()
    assert not has_value.all()
