"""Expressions grouped by value, and two numbers that say how well states separate the values."""

from __future__ import annotations

import numpy as np
import pytest

from tiny_presets import rewrites_of
from treesmu.experiments.probes.value_classes import ValueClasses, purity, silhouette

TEXTS = ("x*0 + y^0 = cos(0)", "x*1 = x + 0", "y*1 = y^1", "x + 0*z = x^1", "cos(x) = sin(y)")


def test_values_0_and_1_come_first_then_the_most_frequent() -> None:
    found = ValueClasses.select(rewrites_of(*TEXTS), classes=3, per_class=10)
    assert found.names == ["0", "1", "x"]
    members = {found.names[row["class"]]: set() for row in found.to_json()}
    for row in found.to_json():
        members[found.names[row["class"]]].add(row["text"])
    assert members == {"0": {"x*0", "0*z"}, "1": {"y^0", "cos(0)", "x*0 + y^0"}, "x": {"x*1", "x + 0", "x + 0*z", "x^1"}}
    assert {row["height"] for row in found.to_json()} == {1, 2}


def test_no_class_has_more_than_it_may() -> None:
    found = ValueClasses.select(rewrites_of(*TEXTS), classes=9, per_class=2)
    assert max(np.bincount(found.number)) == 2


def test_purity_is_the_share_of_the_same_value_among_the_nearest() -> None:
    on_a_line = np.array([[0.0], [1.0], [3.0], [10.0]])
    assert purity(on_a_line, np.array([0, 0, 1, 1]), 1) == 0.75  # the nearest of 3 is 1
    assert purity(on_a_line, np.array([0, 0, 1, 1]), 3) == pytest.approx(1 / 3)
    assert purity(on_a_line, np.array([0, 0, 1, 1]), 10) == pytest.approx(1 / 3)  # there are no more
    assert purity(on_a_line[:1], np.array([0]), 3) is None


def test_chance_is_the_purity_of_states_without_meaning() -> None:
    rng = np.random.default_rng(0)
    number = np.repeat([0, 1, 2], [100, 200, 300])
    found = ValueClasses(["a", "b", "c"], [""] * 600, [1] * 600, number)
    at_random = purity(rng.normal(size=(600, 5)), number, 10)
    assert at_random == pytest.approx(found.chance(), abs=0.02)


def test_the_silhouette_is_1_for_points_apart_and_below_0_for_mixed_ones() -> None:
    apart = np.array([[0.0], [0.001], [5.0], [5.001]])
    assert silhouette(apart, np.array([0, 0, 1, 1])) == pytest.approx(1, abs=1e-3)
    mixed = silhouette(apart, np.array([0, 1, 0, 1]))
    assert mixed is not None
    assert mixed < 0
    assert silhouette(apart, np.zeros(4, int)) is None
