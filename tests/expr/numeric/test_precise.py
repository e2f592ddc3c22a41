"""Values at high precision agree with those of mpmath."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treesmu.expr import parse
from treesmu.expr.numeric import precise


@given(st.floats(-5, 5).map(lambda v: round(v, 3)), st.floats(-5, 5).map(lambda v: round(v, 3)))
def test_precise_values_are_those_of_mpmath(x: float, y: float):
    found = precise.sides_at(parse("sin(x)*exp(y) + atan(x - y) = x"), {"x": x, "y": y})
    assert found == pytest.approx((float(mpmath.sin(x) * mpmath.exp(y) + mpmath.atan(x - y)), x), rel=1e-14, abs=1e-14)
