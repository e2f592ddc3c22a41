"""Row numbers: one for each distinct sub-expression, children before parents, groups of one function together."""

from __future__ import annotations

import numpy as np

from treesmu.expr import distinct, parse
from treesmu.expr.numeric.numbering import Numbering, enlarged, token_hash


def test_every_distinct_sub_expression_has_a_row_after_its_children() -> None:
    roots = [parse(text) for text in ("sin(x) + sin(x)*y", "cos(sin(x))", "2 + 2")]
    numbering = Numbering()
    numbering.add(roots)
    everything = distinct(roots)
    row = dict(zip(everything, numbering.of(everything).tolist(), strict=True))
    assert sorted(row.values()) == list(range(len(numbering))) == list(range(len(everything)))
    assert all(row[c] < row[e] for e in everything for c in e.children)


def test_groups_have_one_function_and_the_rows_of_its_children() -> None:
    numbering = Numbering()
    levels = numbering.add([parse("sin(x) + sin(y)*cos(z)")])
    assert [[(g.function and g.function.name, len(g.members)) for g in level.groups] for level in levels] == [
        [(None, 3)], [("cos", 1), ("sin", 2)], [("Mul", 1)], [("Add", 1)],
    ]  # fmt: skip
    for level in levels:
        for group in level.groups:
            assert np.array_equal(numbering.of(group.members), np.arange(group.here.start, group.here.stop))
            for k, rows in enumerate(group.children):
                assert np.array_equal(rows, numbering.of([e.children[k] for e in group.members]))
        assert level.here == slice(level.groups[0].here.start, level.groups[-1].here.stop)


def test_what_is_known_is_not_numbered_again() -> None:
    numbering = Numbering()
    numbering.add([parse("sin(x)")])
    levels = numbering.add([parse("sin(x) + 1"), parse("sin(x)")])
    assert [str(e) for level in levels for group in level.groups for e in group.members] == ["1", "sin(x) + 1"]
    numbering.clear()
    assert len(numbering) == 0


def test_an_enlarged_array_keeps_its_rows_and_at_least_doubles() -> None:
    array = np.arange(6.0).reshape(3, 2)
    assert enlarged(array, 3) is array
    larger = enlarged(array, 4)
    assert larger.shape == (6, 2)
    assert np.array_equal(larger[:3], array)


def test_hashes_of_tokens_are_the_same_in_every_process() -> None:
    assert int(token_hash("sin")) == 15_227_444_978_172_764_232
    assert len({int(token_hash(t)) for t in ("sin", "cos", "x", "y", "")}) == 5
