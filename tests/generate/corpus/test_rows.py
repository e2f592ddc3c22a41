"""Every row of a corpus has a correct label, columns that agree with its tree, and a tree as asked for."""

from __future__ import annotations

from collections import Counter

import treesmu
from generated import equations, everything
from paper_functions import PAPER_FUNCTIONS
from small_corpus import generate_small
from treesmu.expr import FUNCTIONS, Expr, distinct, equation, parse
from treesmu.expr.numeric import precise


def has_value(e: Expr) -> bool:
    """Return whether mpmath finds a real value with 50 digits."""
    return precise.sides_at(equation(e, e), {}) is not None


def test_labels_are_those_of_the_check(corpus):
    for name, rows in everything(corpus):
        found = [v.label for v in treesmu.check_many(equations(rows))]
        wrong = [
            (text, label, verdict)
            for text, label, verdict in zip(rows.infix, rows.label, found, strict=True)
            if verdict not in ("correct" if label else "incorrect", "undecided")
        ]
        assert wrong == []
        assert found.count("undecided") <= 0.01 * len(rows), name


def test_labels_hold_at_other_points(corpus):
    for _, rows in everything(corpus):
        found = treesmu.check_many(equations(rows), seed=12345)
        contradictions = [
            (text, label, v.label)
            for text, label, v in zip(rows.infix, rows.label, found, strict=True)
            if v.label == ("incorrect" if label else "correct")
        ]
        assert contradictions == []


def test_columns_agree_with_the_tree(corpus):
    for _, rows in everything(corpus):
        for e, text, depth, size in zip(equations(rows), rows.infix, rows.depth, rows.size, strict=True):
            assert (parse(text), e.depth, e.size) == (e, depth, size)
            assert e.is_equation
            assert e.left is not e.right or e.depth == 1


def test_the_tree_is_small_for_its_depth_and_has_few_variables(corpus):
    for _, rows in everything(corpus):
        for e in equations(rows):
            assert e.size <= 22 + 7 * e.depth
            assert {v.token for v in e.variables()} <= set("xyzw")


def test_every_constant_part_has_a_real_value(corpus):
    for _, rows in everything(corpus):
        constants = [e for e in distinct(equations(rows)) if e.is_constant and e.op is not None and not e.is_equation]
        assert [str(e) for e in constants if not has_value(e)] == []
        assert len(constants) > 10


def test_variables_are_named_by_first_occurrence_where_asked(mixed, plain):
    for _, rows in everything(mixed):
        assert all(e.canonical() is e for e in equations(rows))
    assert not all(e.canonical() is e for e in equations(plain.splits["train"].rows))


def test_padding_is_below_a_fifth_at_every_depth(corpus):
    nodes, padded = Counter(), Counter()
    for _, rows in everything(corpus):
        for depth, size, padding in zip(rows.depth, rows.size, rows.padding, strict=True):
            nodes[depth] += size
            padded[depth] += padding
    assert {d: round(padded[d] / nodes[d], 2) for d in nodes if padded[d] >= 0.2 * nodes[d]} == {}


def test_all_functions_occur_in_both_labels(plain):
    used: dict[int, set[str]] = {0: set(), 1: set()}
    for _, rows in everything(plain):
        for p, label in zip(rows.prefix, rows.label, strict=True):
            used[label].update(p.split())
    assert {f.name for f in PAPER_FUNCTIONS} <= used[0] & used[1]


def test_only_functions_of_the_families_occur():
    families, both = ("algebra", "numbers", "trigonometry"), ("near-miss", "mutation")
    corpus = generate_small(families=families, negatives=both, test_negatives=both, train_size=300, per_depth=20)
    tokens = {token for _, rows in everything(corpus) for p in rows.prefix for token in p.split()}
    allowed = {f.name for f in FUNCTIONS if f.family in ("arithmetic", "trigonometric")}
    assert tokens & {f.name for f in FUNCTIONS} == allowed


def test_what_was_proposed_and_undecided_is_counted_by_depth(corpus):
    assert set(corpus.proposed) >= set(range(1, 10))
    assert all(0 <= corpus.undecided[d] <= 0.25 * n for d, n in corpus.proposed.items() if n > 100)
    assert sum(corpus.undecided.values()) > 0
