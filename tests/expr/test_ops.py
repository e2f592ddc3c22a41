"""The table has the functions of the paper, and each function has the values and the domain that mpmath gives it."""

from __future__ import annotations

import copy
import pickle

import mpmath
import numpy as np
import pytest

from paper_functions import BINARY, UNARY
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import ADD, EQUALITY, FUNCTIONS, LOG, MUL, POW, Op, op
from treesmu.expr.tree import leaf, node

STEPS = [n / 8 for n in range(-48, 49)]
EDGES = [0.001, -0.001, 0.3, -0.3, 20.0, -20.0]
BARELY = [s * float(np.nextafter(1.0, toward)) for s in (1, -1) for toward in (0, 2)]  # the floats next to 1 and -1

each_function = pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.name)


def real_points(f: Op) -> list[tuple[float, ...]]:
    if f.arity == 1:
        return [(x,) for x in (*STEPS, *EDGES)]
    return [(x, y) for x in (*STEPS[::2], *EDGES) for y in (*STEPS[::4], *EDGES)]


def exact(f: Op, point: tuple[complex, ...]) -> mpmath.mpf | mpmath.mpc | None:
    """Return the value of the function in mpmath, None where it has none."""
    try:
        return getattr(mpmath, f.mpmath or f.name)(*map(mpmath.mpmathify, point))
    except (ValueError, ZeroDivisionError):
        return None


def is_real(f: Op, point: tuple[float, ...]) -> bool:
    """Return whether mpmath gives a finite real value; for a logarithm, which is a quotient, also for both of its parts."""
    if f.name == "acot" and point == (0.0,):
        return False  # at the jump mpmath takes the limit from the right
    parts = [exact(f, point), *(mpmath.log(x) for x in point if f is LOG)]
    return all(isinstance(value, mpmath.mpf) and mpmath.isfinite(value) for value in parts)


def apply(f: Op, points: list[tuple[complex, ...]]) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(f.compute(*np.array(points).T))


def in_domain(f: Op, points: list[tuple[float, ...]]) -> list[bool]:
    with np.errstate(all="ignore"):
        return np.asarray(f.domain(*np.array(points).T)).tolist()


def test_the_functions_of_the_paper_are_in_the_table_and_equality_is_not():
    assert {f.name for f in FUNCTIONS if f.arity == 1} >= {*UNARY}
    assert {f.name for f in FUNCTIONS if f.arity == 2} >= {*BINARY}
    assert EQUALITY not in FUNCTIONS


def test_a_function_is_found_by_its_name_and_an_unknown_name_lists_the_known_ones():
    assert all(op(f.name) is f for f in (*FUNCTIONS, EQUALITY))
    assert [f.name for f in (ADD, MUL, POW, LOG)] == BINARY
    with pytest.raises(ValueError, match=r"unknown function 'sni'; known: Add, Mul, .*sin.*acoth"):
        op("sni")


def test_no_two_functions_share_a_name_an_alias_or_a_notation():
    names = [name for f in FUNCTIONS for name in (f.name, *f.aliases)]
    assert len(set(names)) == len(names)
    assert len({f.latex for f in FUNCTIONS}) == len(FUNCTIONS)


@each_function
def test_a_pickled_or_copied_function_is_the_same_object(f: Op):
    assert pickle.loads(pickle.dumps(f)) is f
    assert copy.deepcopy(f) is f


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f.arity == 1], ids=lambda f: f.name)
def test_name_alias_and_latex_of_a_function_all_parse_to_it(f: Op):
    written = [*(f"{name}(x)" for name in (f.name, *f.aliases)), rf"{f.latex}{{x}}", rf"{f.latex}\left(x\right)"]
    assert {parse(text) for text in written} == {node(f, leaf("x"))}


@each_function
def test_values_at_real_points_are_those_of_mpmath(f: Op):
    points = [p for p in real_points(f) if is_real(f, p)]
    assert len(points) >= 10
    np.testing.assert_allclose(apply(f, points), [float(exact(f, p)) for p in points], rtol=1e-13, atol=1e-13)


@each_function
def test_the_domain_is_where_mpmath_gives_a_finite_real_value(f: Op):
    points = real_points(f) + ([(x,) for x in BARELY] if f.arity == 1 else [(x, 3.0) for x in BARELY])
    assert dict(zip(points, in_domain(f, points), strict=True)) == {p: is_real(f, p) for p in points}


@each_function
def test_values_are_finite_exactly_inside_the_domain(f: Op):
    points = real_points(f)
    finite = np.isfinite(apply(f, points)).tolist()
    assert dict(zip(points, finite, strict=True)) == dict(zip(points, in_domain(f, points), strict=True))


def test_acot_is_undefined_at_its_jump():
    assert in_domain(op("acot"), [(0.0,)]) == [False]
    assert not np.isfinite(apply(op("acot"), [(0.0,), (-0.0,)])).any()


@each_function
def test_values_at_complex_points_are_the_principal_ones_of_mpmath(f: Op):
    numbers = [complex(a, b) for a in (-2.3, -0.7, 0.4, 1.9) for b in (-1.7, -0.3, 0.6, 2.1)]
    points = [(z,) for z in numbers] if f.arity == 1 else [(z, w) for z in numbers for w in numbers]
    np.testing.assert_allclose(apply(f, points), [complex(exact(f, p)) for p in points], rtol=1e-12, atol=1e-13)


def test_the_inverse_cotangent_is_odd_and_jumps_at_zero():
    left, right = apply(op("acot"), [(-1e-9,), (1e-9,)])
    assert (left, right) == pytest.approx((-np.pi / 2, np.pi / 2))


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("exp", (-800.0,)),
        ("sech", (800.0,)),
        ("csch", (-800.0,)),
        ("Pow", (10.0, -400.0)),
        ("Mul", (1e-200, 1e-200)),
        ("Pow", (np.nan, 0.0)),
        ("Pow", (1.0, np.nan)),
    ],
)
def test_a_value_too_small_for_a_float_is_unknown_and_so_is_what_is_made_of_the_unknown(name: str, point: tuple[float, ...]):
    assert np.isnan(apply(op(name), [point])).all()


def test_true_zeros_stay_zeros():
    assert apply(MUL, [(0.0, 3.0), (3.0, 0.0)]).tolist() == [0, 0]
    assert apply(POW, [(0.0, 2.0), (0.0, 0.0)]).tolist() == [0, 1]


def test_an_exponent_that_is_whole_up_to_rounding_is_whole():
    almost_one = float(np.nextafter(1.0, 2))
    assert apply(POW, [(-2.0, almost_one), (-2.0, 2 - 1e-10)]).tolist() == [-2, 4]
    assert np.isnan(apply(POW, [(-2.0, 1.001)])).all()
