"""A shard has checked labels, pairs of chains, and the same rows for the same seed."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

import treesmu
from paper_functions import PAPER_FUNCTIONS
from treesmu.expr import from_prefix
from treesmu.generate.axioms import FAMILIES
from treesmu.generate.chains.shard import ShardSettings, grow_chains, grow_shard
from treesmu.generate.columns import EquationColumns

BOTH = ShardSettings(FAMILIES, negatives=("near-miss", "mutation"))


@pytest.fixture(scope="module")
def rows() -> EquationColumns:
    return grow_shard(BOTH, "shard", 60, 12)


def test_same_seed_same_rows_and_another_seed_others(rows):
    again = grow_shard(BOTH, "shard", 60, 12)
    assert again == rows
    assert grow_shard(BOTH, "other", 60, 12).prefix != rows.prefix


def test_rows_do_not_depend_on_what_was_grown_before_in_the_process(rows):
    grow_shard(ShardSettings(("algebra",)), "before", 20, 6)
    assert grow_shard(BOTH, "shard", 60, 12) == rows


def test_rows_and_settings_travel_between_processes(rows):
    assert pickle.loads(pickle.dumps(rows)) == rows
    assert pickle.loads(pickle.dumps(BOTH)) == BOTH


def test_labels_agree_with_the_check(rows):
    found = treesmu.check_many([from_prefix(p.split()) for p in rows.prefix])
    decided = [(label, v.label) for label, v in zip(rows.label, found, strict=True) if v.label != "undecided"]
    assert set(decided) == {(1, "correct"), (0, "incorrect")}
    assert len(decided) >= 0.99 * len(rows)


def test_both_labels_and_all_kinds_occur_at_every_depth(rows):
    found = Counter(zip(rows.depth, rows.label, strict=True))
    assert all(found[d, label] > 5 for d in range(4, 13) for label in (0, 1))
    assert set(rows.kind) == {"rewrite", "near-miss", "mutation"}
    assert {label for label, kind in zip(rows.label, rows.kind, strict=True) if kind == "rewrite"} == {1}


def test_slips_and_wrong_fillers_are_kinds_of_negatives():
    found = grow_shard(ShardSettings(FAMILIES, negatives=("slip", "filler")), "further", 60, 7)
    labels = Counter(zip(found.kind, found.label, strict=True))
    assert set(found.kind) == {"rewrite", "slip", "filler"}
    assert labels["slip", 0] > 100
    assert labels["filler", 0] > 5 * labels["filler", 1]  # a filler of the same value leaves the equation correct
    verdicts = treesmu.check_many([from_prefix(p.split()) for p in found.prefix])
    wanted = {(1, "correct"), (0, "incorrect")}
    assert {(label, v.label) for label, v in zip(found.label, verdicts, strict=True) if v.label != "undecided"} == wanted


@pytest.mark.parametrize("ceiling", [1, 2, 3, 6])
def test_nothing_is_deeper_than_the_ceiling(ceiling):
    depth = grow_shard(BOTH, "ceiling", 40, ceiling).depth
    assert max(depth) == ceiling


def test_padding_is_below_a_fifth(rows):
    assert sum(rows.padding) < 0.2 * sum(rows.size)


def test_pairs_share_a_chain(rows):
    """A correct chain and its near miss come from one start."""
    assert set(rows.chain) <= set(range(60))
    kinds: dict[int, set[str]] = {}
    for chain, kind in zip(rows.chain, rows.kind, strict=True):
        kinds.setdefault(chain, set()).add(kind)
    assert sum({"rewrite", "near-miss"} <= found for found in kinds.values()) > 40


def test_what_was_proposed_and_undecided_is_counted(rows):
    """All rows were proposed; the other proposals were undecided, or incorrect in a correct chain."""
    found = Counter(rows.depth)
    assert all(rows.proposed[d] >= found[d] + rows.undecided[d] for d in found)
    assert sum(rows.undecided.values()) < 0.12 * sum(rows.proposed.values())


def test_expressions_are_the_same_as_rows(rows):
    found = grow_chains(BOTH, "shard", 60, 12)
    kept = [row for row in found if len(row[0].variables()) <= 4]
    assert [" ".join(e.prefix()) for e, *_ in kept] == rows.prefix
    assert [kind for *_, kind in kept] == rows.kind


def test_names_by_first_occurrence_change_nothing_else(rows):
    named = grow_shard(ShardSettings(FAMILIES, negatives=BOTH.negatives, first_occurrence=True), "shard", 60, 12)
    assert named.fingerprint == rows.fingerprint
    assert (named.label, named.depth, named.size, named.chain) == (rows.label, rows.depth, rows.size, rows.chain)
    assert named.prefix == [" ".join(from_prefix(p.split()).canonical().prefix()) for p in rows.prefix]
    assert named.prefix != rows.prefix


def test_depth_one_sets_a_leaf_equal_to_a_leaf():
    rows = grow_shard(BOTH, "one", 30, 1)
    assert set(rows.depth) == {1}
    for p, label in zip(rows.prefix, rows.label, strict=True):
        e = from_prefix(p.split())
        assert (e.left is e.right) == bool(label)


def test_no_function_reveals_the_label():
    rows = grow_shard(ShardSettings(FAMILIES), "balance", 400, 13)
    found: dict[str, list[int]] = {}
    for prefix, label in zip(rows.prefix, rows.label, strict=True):
        for token in set(prefix.split()):
            found.setdefault(token, []).append(label)
    for function in PAPER_FUNCTIONS:
        labels = found[function.name]
        assert len(labels) >= 50
        slack = 3 / len(labels) ** 0.5  # random variation
        assert 0.4 - slack < sum(labels) / len(labels) < 0.6 + slack, function.name
