"""Formulas have the value that Python computes, and as many of each class at every depth."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from treesmu.data import DataError
from treesmu.generate.other_trees.arithmetic import ArithmeticSettings, operators, random_tree, rows, value

BOOLEAN = ArithmeticSettings(train=40, validation=4, test=6, train_depths=(1, 4), test_depths=(3, 7))
DIGITS = ArithmeticSettings(modulus=5, train=40, validation=5, test=5, train_depths=(2, 3), test_depths=(3, 5))


def _text(tree: Any) -> str:
    """Return the tree as an expression of Python."""
    if not isinstance(tree, list):
        return str(tree)
    parts = [f"({_text(part)})" for part in tree[1:]]
    signs = {"and": "&", "or": "|", "xor": "^"}
    return f"1 - {parts[0]}" if tree[0] == "not" else f" {signs.get(tree[0], tree[0])} ".join(parts)


@pytest.mark.parametrize("settings", [BOOLEAN, DIGITS])
def test_labels_are_the_values_and_classes_are_balanced(settings: ArithmeticSettings) -> None:
    found = list(rows(settings))
    assert all(row["label"] == eval(_text(row["tree"])) % settings.modulus for row in found)
    counts = Counter((row["split"], row["depth"], row["label"]) for row in found)
    for split, depth, _ in counts:
        assert len({counts[split, depth, label] for label in range(settings.modulus)}) == 1, (split, depth)
    assert len({str(row["tree"]) for row in found}) == len(found)
    assert list(rows(settings)) == found


def test_trees_have_the_depth_that_is_asked_for() -> None:
    depths = Counter(row["depth"] for row in rows(BOOLEAN) if row["split"] == "test")
    assert depths == dict.fromkeys(range(3, 8), 6)
    deep = random_tree(Random(0), {"not": operators(2)["not"]}, 2, 5_000)
    assert value(deep, operators(2)) in (0, 1)


def test_a_modulus_below_2_is_refused() -> None:
    with pytest.raises(DataError, match="modulus is at least 2"):
        list(rows(ArithmeticSettings(modulus=1)))


def test_boolean_formulas_of_depth_1_are_too_few_for_a_test() -> None:
    found = Counter((row["split"], row["depth"]) for row in rows(ArithmeticSettings(train_depths=(1, 2), test_depths=(1, 2))))
    assert found["test", 1] == 0  # as examples/arithmetic.py says
    assert 0 < found["test", 2] < 500
