"""Rounding: which values are exact, where digits are lost, and noise that is never rounded away."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.expr import leaf, op
from treesmu.expr.numeric.rounding import (
    NOISE,
    are_exact,
    constant_value,
    is_exact,
    loses_digits,
    noise_factors,
    snap_to_edges,
)


def test_noise_is_within_its_bounds_and_the_first_row_is_one() -> None:
    factors = noise_factors(0, 24)
    assert (factors[0] == 1).all()
    size = np.abs(factors[1:] - 1)
    assert (size >= 0.49 * NOISE).all()
    assert (size <= 1.01 * NOISE).all()


@pytest.mark.parametrize(("token", "value"), [("2", 2.0), ("-1/2", -0.5), ("0.75", 0.75), ("pi", np.pi), ("e", np.e)])
def test_constants_have_their_value(token: str, value: float) -> None:
    assert constant_value(leaf(token)) == value


@pytest.mark.parametrize("token", ["inf", "nan", "9" * 400])
def test_a_constant_without_a_value_in_float64_is_nan(token: str) -> None:
    assert np.isnan(constant_value(leaf(token)))


def test_binary_fractions_are_exact_and_others_are_not() -> None:
    assert [t for t in ("2", "-1/2", "0.75", "1/3", "0.1", "pi") if is_exact(leaf(t))] == ["2", "-1/2", "0.75"]
    assert are_exact(op("cos"), np.array([0.0]), np.array([1.0])).tolist() == [True]
    assert are_exact(op("Add"), np.array([0.5]), np.array([1 / 3])).tolist() == [False]


def test_an_argument_at_the_edge_up_to_rounding_is_moved_there() -> None:
    plain, disturbed = np.array([1 + 1e-15, 1.1]), np.array([1 - 1e-15, 1.1])
    snap_to_edges(op("asin"), plain, disturbed)
    assert plain.tolist() == disturbed.tolist() == [1.0, 1.1]


@pytest.mark.parametrize(
    ("name", "arguments", "is_lost"),
    [
        ("tanh", (30.0,), True),
        ("tanh", (3.0,), False),
        ("sin", (1e-9,), True),
        ("exp", (50.0,), False),
        ("Add", (1.0, 1e-20), True),
        ("Add", (1.0, 1e-3), False),
        ("Pow", (1 + 1e-9, 2.0), True),
        ("Mul", (1e-20, 1.0), False),
    ],
)
def test_digits_are_lost_where_an_argument_no_longer_counts(name: str, arguments: tuple[float, ...], is_lost: bool) -> None:
    values = [np.array([a]) for a in arguments]
    assert bool(np.all(loses_digits(op(name), values, values))) == is_lost


def test_nothing_is_lost_with_what_is_zero_up_to_its_error() -> None:
    first, second = [np.array([1.0]), np.array([1e-20])], [np.array([1.0]), np.array([-1e-20])]
    assert not np.any(loses_digits(op("Add"), first, second))
