"""Values with their disturbed copies are those of the table of values, up to the disturbance."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.expr import FUNCTIONS, Op, leaf, node, op
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.expr.numeric.values import ValueTable
from treesmu.expr.search.paired_values import apply

POINTS = SamplePoints(3, 48)


def paired(*values: float) -> np.ndarray:
    return np.array([values, values], float)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_every_function_has_the_values_and_the_domain_of_the_table(function: Op) -> None:
    arguments = [leaf(name) for name in ("x", "y")[: function.arity]]
    expected = ValueTable(POINTS).values([node(function, *arguments)]).plain[0]
    with np.errstate(all="ignore"):
        found = apply(function, *(np.stack([POINTS.of(e.token)] * 2) for e in arguments))
    assert np.array_equal(found[0], expected, equal_nan=True)
    assert np.allclose(found[0], found[1], rtol=1e-12, atol=0, equal_nan=True)
    defined = ~np.isnan(found[0])
    assert (found[0] != found[1])[defined & (found[0] != 0)].all()


def test_an_argument_that_is_an_edge_of_the_domain_up_to_rounding_counts_as_the_edge() -> None:
    argument = np.array([[1 + 1e-15], [1 - 1e-14]])
    assert apply(op("acos"), argument)[0, 0] == 0
    assert argument[0, 0] != 1  # the argument itself is left as it was


def test_the_reciprocal_of_a_rounding_error_is_no_value() -> None:
    with np.errstate(all="ignore"):
        assert np.isnan(apply(op("tan"), np.array([[np.pi / 2], [np.pi / 2 + 1e-14]]))[0, 0])
        assert np.isnan(apply(op("exp"), paired(1e4))[0, 0])
        assert apply(op("Mul"), paired(1e4), paired(1e4))[0, 0] == 1e8
