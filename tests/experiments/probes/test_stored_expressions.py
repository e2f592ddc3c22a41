"""The stored expressions: small, distinct, and grouped by value."""

from __future__ import annotations

from treesmu.experiments.probes.stored_expressions import stored_expressions
from treesmu.expr import check_many, equation, parse

STORED = stored_expressions()


def test_there_are_some_hundred_small_ones_over_x_and_y() -> None:
    assert 300 < len(STORED.expressions) == len(set(STORED.expressions)) < 2000
    assert {e.depth for e in STORED.expressions} == {0, 1, 2, 3}
    assert {str(v) for e in STORED.expressions for v in e.variables()} == {"x", "y"}


def test_those_of_one_class_are_equal_and_the_simplest_gives_the_name() -> None:
    members: dict[int, list[str]] = {}
    for e, number in zip(STORED.expressions, STORED.number, strict=True):
        members.setdefault(number, []).append(str(e))
    assert "sin(x)^2 + cos(x)^2" in members[STORED.names.index("1")]
    pairs = [equation(parse(STORED.names[n]), parse(text)) for n, texts in members.items() for text in texts[:3]]
    assert {verdict.label for verdict in check_many(e for e in pairs if e.left is not e.right)} == {"correct"}


def test_the_most_frequent_values_come_first() -> None:
    counts = [STORED.number.count(i) for i in range(len(STORED.names))]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 5
