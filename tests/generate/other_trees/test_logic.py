"""Pairs of formulas have the relation that all truth assignments confirm."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from treesmu.generate.other_trees.logic import VARIABLES, LogicSettings, rows

SMALL = LogicSettings(train=60, validation=10, test=10)


def _holds(formula: Any, world: dict[str, bool]) -> bool:
    if isinstance(formula, str):
        return world[formula]
    operator, *parts = formula
    values = [_holds(part, world) for part in parts]
    return not values[0] if operator == "not" else all(values) if operator == "and" else any(values)


def _relation(left: Any, right: Any) -> str:
    """Return the relation by the four kinds of worlds that occur, as MacCartney and Manning define it."""
    worlds = [dict(zip(VARIABLES, values, strict=True)) for values in product((False, True), repeat=6)]
    both = {(_holds(left, world), _holds(right, world)) for world in worlds}
    kinds = tuple(kind in both for kind in ((True, False), (False, True), (True, True), (False, False)))
    names = {
        (False, False, True, True): "=",
        (False, True, True, True): "<",
        (True, False, True, True): ">",
        (True, True, False, False): "^",
        (True, True, False, True): "|",
        (True, True, True, False): "v",
    }
    return names.get(kinds, "#")


def _operators(formula: Any) -> int:
    return 0 if isinstance(formula, str) else 1 + sum(_operators(part) for part in formula[1:])


def test_labels_are_those_of_all_assignments() -> None:
    found = list(rows(SMALL))
    assert {row["label"] for row in found} == set("=<>^|v#")
    for row in found:
        assert row["label"] == _relation(row["left"], row["right"]), row
        assert row["depth"] == max(_operators(row["left"]), _operators(row["right"]))


def test_splits_are_by_number_of_operators_and_share_no_pair() -> None:
    found = list(rows(SMALL))
    assert {row["depth"] for row in found if row["split"] == "train"} == {1, 2, 3, 4}
    assert Counter(row["depth"] for row in found if row["split"] == "test") == dict.fromkeys(range(1, 13), 10)
    assert len({f"{row['left']} {row['right']}" for row in found}) == len(found)
    assert list(rows(SMALL)) == found


def test_independent_pairs_are_at_most_a_third() -> None:
    labels = Counter(row["label"] for row in rows(SMALL) if row["split"] == "train")
    assert labels["#"] <= labels.total() / 3 + 4


def test_a_pair_the_other_way_round_is_in_no_other_split() -> None:
    found = list(rows(LogicSettings(train=150, validation=20, test=20, train_operators=(1, 1), test_operators=(1, 1))))
    pairs = [tuple(sorted((str(row["left"]), str(row["right"])))) for row in found]
    assert len(set(pairs)) == len(pairs)
