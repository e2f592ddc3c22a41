"""The nearest stored expressions are those of the smallest distance of states, whatever the variables are called."""

from __future__ import annotations

import numpy as np
import pytest

from traces import small_model
from treesmu.experiments.probes.neighbours import StoredStates
from treesmu.expr import check, equation, parse


@pytest.fixture(scope="module")
def stored() -> StoredStates:
    return StoredStates(small_model())


def test_they_are_the_nearest_of_all_in_order(stored: StoredStates) -> None:
    found = stored.nearest(parse("sin(x)^2"), 5)
    state = stored.model.embed(["sin(x)^2"])[0]
    others = [e for e in stored.expressions if e is not parse("sin(x)^2")]
    distances = np.linalg.norm(stored.model.embed(others).astype(float) - state, axis=1)
    assert [n.distance for n in found] == pytest.approx(sorted(distances)[:5], abs=1e-5)
    assert all(n.expr in others for n in found)


def test_whether_they_are_equal_is_said_by_the_check(stored: StoredStates) -> None:
    e = parse("tan(x)")
    found = stored.nearest(e, len(stored.expressions))
    assert {n.is_equal for n in found} >= {True, False}
    for neighbour in found[::20]:
        label = check(equation(e, neighbour.expr)).label
        assert neighbour.is_equal is {"correct": True, "incorrect": False, "undecided": None}[label]


def test_names_of_variables_do_not_matter(stored: StoredStates) -> None:
    plain = stored.nearest(parse("x^2"), 40)
    for name in ("t", "y"):
        other = stored.nearest(parse(f"{name}^2"), 40)
        assert [n.distance for n in other] == [n.distance for n in plain]
        assert [n.expr.canonical() for n in other] == [n.expr.canonical() for n in plain]
        assert all(n.expr.variables()[:1] in ([], [parse(name)]) for n in other)
