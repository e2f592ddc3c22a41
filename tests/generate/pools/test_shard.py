"""The rows of a pool: derived labels, checked labels, and the functions of its changes."""

from __future__ import annotations

import pytest

import treesmu
from treesmu.expr import FUNCTIONS, from_prefix
from treesmu.generate.columns import EquationColumns
from treesmu.generate.pools.pool import GrowthSettings
from treesmu.generate.pools.shard import PoolSettings, grow_pool

GROWTH = GrowthSettings(300)


@pytest.fixture(scope="module")
def derived() -> EquationColumns:
    return grow_pool(PoolSettings(GROWTH), "pool", 13)


@pytest.fixture(scope="module")
def checked() -> EquationColumns:
    return grow_pool(PoolSettings(GROWTH, has_checked_labels=True), "pool", 13)


def test_same_seed_same_rows_and_another_seed_others(derived):
    assert grow_pool(PoolSettings(GROWTH), "pool", 13) == derived
    assert grow_pool(PoolSettings(GROWTH), "other", 13).prefix != derived.prefix


def test_derived_labels_say_how_a_row_was_made(derived):
    assert {(label, kind) for label, kind in zip(derived.label, derived.kind, strict=True)} == {(1, "rewrite"), (0, "mutation")}
    assert len(set(derived.prefix)) == len(derived)


def test_checked_labels_are_those_of_the_check(checked):
    found = treesmu.check_many(from_prefix(p.split()) for p in checked.prefix)
    wrong = [
        t for t, l, v in zip(checked.infix, checked.label, found, strict=True) if v.label == ("incorrect" if l else "correct")
    ]
    assert wrong == []


def test_both_settings_of_labels_have_the_same_equations_but_for_the_undecided(derived, checked):
    assert set(checked.prefix) <= set(derived.prefix)
    assert len(derived) - len(checked) == sum(checked.undecided.values()) > 0
    labels = dict(zip(derived.prefix, derived.label, strict=True))
    assert any(labels[p] != label for p, label in zip(checked.prefix, checked.label, strict=True))


def test_changes_have_all_functions_unless_that_leak_is_closed(derived):
    def functions(rows: EquationColumns, kind: str) -> set[str]:
        chosen = [p for p, k in zip(rows.prefix, rows.kind, strict=True) if k == kind]
        return {token for p in chosen for token in p.split()} & {f.name for f in FUNCTIONS}

    assert len(functions(derived, "mutation") - functions(derived, "rewrite")) > 10
    closed = grow_pool(PoolSettings(GROWTH, has_all_functions=False), "pool", 13)
    assert functions(closed, "mutation") <= functions(closed, "rewrite")
    assert "log" not in functions(derived, "mutation")
