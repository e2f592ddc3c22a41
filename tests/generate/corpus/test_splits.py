"""A corpus has the sizes, depths and balance asked for, and its splits are disjoint."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from generated import equations, everything
from small_corpus import generate_small
from treesmu.generate.columns import EquationColumns
from treesmu.generate.fingerprint import Fingerprints
from treesmu.generate.splits import GeneratedSplit


def share_correct(rows: EquationColumns) -> float:
    return sum(rows.label) / len(rows)


# -- sizes and balance ------------------------------------------------------------------------------------------------


def test_there_are_as_many_rows_as_asked(corpus):
    """Except at depths 1 and 2, where there are fewer, and in validation, where rounding by depth and label loses a few."""
    assert abs(len(corpus.splits["train"].rows) - 600) <= 6
    assert abs(len(corpus.splits["validation"].rows) - 100) <= 6
    found = Counter(corpus.splits["test"].rows.depth)
    assert set(found) <= set(range(1, 10))
    assert all(found[d] == 40 for d in range(3, 10))
    assert 10 <= found[1] <= 40
    assert 30 <= found[2] <= 40


def test_depths_are_within_the_range(corpus):
    for name, rows in everything(corpus):
        low, high = (1, 9) if name == "test" else (1, 7)
        assert set(rows.depth) <= set(range(low, high + 1))
        assert set(rows.depth) >= set(range(low + 2, high + 1))


def test_test_labels_are_balanced_at_every_depth(corpus):
    counts = Counter(zip(corpus.splits["test"].rows.depth, corpus.splits["test"].rows.label, strict=True))
    for d in range(1, 10):
        assert counts[d, 1] == counts[d, 0] > 0


@pytest.mark.parametrize(("name", "share"), [("plain", 0.5), ("mixed", 0.56)])
def test_training_has_the_share_of_correct_equations_asked_for_at_every_depth(name, share, request):
    for split in ("train", "validation"):
        rows = request.getfixturevalue(name).splits[split].rows
        assert share_correct(rows) == pytest.approx(share, abs=0.03)
        counts = Counter(zip(rows.depth, rows.label, strict=True))
        for d in range(2, 8):
            total = counts[d, 0] + counts[d, 1]
            assert counts[d, 1] == pytest.approx(share * total, abs=2.5)


def test_shallow_share_is_kept():
    corpus = generate_small(depths=(3, 9), test_depths=(3, 3), per_depth=2, shallow_share=0.7)
    depth = corpus.splits["train"].rows.depth
    assert sum(d <= 7 for d in depth) / len(depth) == pytest.approx(0.7, abs=0.02)


def test_negatives_are_of_the_kinds_asked_for(plain, mixed):
    for _, rows in everything(plain):
        assert set(rows.kind) == {"rewrite", "near-miss"}
    for name, rows in everything(mixed):
        assert set(rows.kind) == {"rewrite", "near-miss", "mutation"}
        wrong = Counter(kind for kind, label in zip(rows.kind, rows.label, strict=True) if label == 0 and kind != "rewrite")
        assert wrong["near-miss"] == pytest.approx(wrong["mutation"], rel=0.25), name


def test_rewriting_alone_makes_no_incorrect_equation(corpus):
    """Except at depth 1, where a leaf is set equal to a leaf."""
    for _, rows in everything(corpus):
        assert {
            label for label, kind, d in zip(rows.label, rows.kind, rows.depth, strict=True) if kind == "rewrite" and d > 1
        } == {1}


# -- disjoint splits ---------------------------------------------------------------------------------------------------


def test_no_equation_is_twice_up_to_names_sides_and_order(corpus):
    fingerprints = Fingerprints()  # computed from the text, as a reader of the files would
    found = Counter(f for _, rows in everything(corpus) for f in fingerprints.of(equations(rows)).tolist())
    assert set(found.values()) == {1}
    assert len(found) == sum(len(rows) for _, rows in everything(corpus))


def test_no_chain_is_in_two_splits(corpus):
    owners = defaultdict(set)
    for name, rows in everything(corpus):
        for chain in rows.chain:
            owners[chain].add(name)
    assert {len(names) for names in owners.values()} == {1}


def test_equations_of_a_chain_share_its_number(plain):
    """Chains have several equations, of different depths."""
    rows = plain.splits["train"].rows
    depths = defaultdict(list)
    for chain, depth in zip(rows.chain, rows.depth, strict=True):
        depths[chain].append(depth)
    assert sum(len(found) > 1 for found in depths.values()) > 30


# -- numeric equations -------------------------------------------------------------------------------------------------


def test_numeric_equations_are_not_shared_between_splits_either(numeric):
    test_no_equation_is_twice_up_to_names_sides_and_order(numeric)
    test_no_chain_is_in_two_splits(numeric)


def test_numeric_equations_leave_the_test_set_balanced(numeric):
    test_test_labels_are_balanced_at_every_depth(numeric)


# -- settings ----------------------------------------------------------------------------------------------------------


def test_a_split_knows_what_it_still_lacks():
    split = GeneratedSplit("train", Counter({(3, "correct"): 5, (3, "near-miss"): 4, (4, "correct"): 1}))
    split.taken[split.slot(3, 1, "mutation")] += 2  # a mutation that is still true counts as correct
    split.taken[split.slot(3, 0, "near-miss")] += 1
    assert (split.missing(3), split.missing(4)) == (6, 1)
