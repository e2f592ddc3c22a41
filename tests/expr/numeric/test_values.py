"""Values in float64 agree with those of mpmath, within the estimated error."""

from __future__ import annotations

import random

import numpy as np

from strategies import random_tree
from treesmu.expr import equation
from treesmu.expr.numeric import precise
from treesmu.expr.numeric.rounding import NOISE
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.expr.numeric.values import ValueTable


def test_values_agree_with_mpmath_at_every_defined_point():
    rng = random.Random(5)
    expressions = [e for e in (random_tree(rng, rng.randrange(1, 7)) for _ in range(300)) if e.size < 200]
    points = SamplePoints(0, 24)
    values = ValueTable(points).values(expressions)
    compared = 0
    for i, e in enumerate(expressions):
        for at in range(0, 24, 5):
            point = {v.token: float(points.of(v.token)[at]) for v in e.variables()}
            exact = precise.sides_at(equation(e, e), point)
            plain, disturbed = values.plain[i, at], values.disturbed[i, at]
            if exact is None or np.isnan(plain) or np.isnan(disturbed) or values.has_lost_digits[i, at]:
                continue
            error = abs(plain - disturbed) + 4 * NOISE * abs(plain)
            assert abs(exact[0] - plain) <= 100 * error, (str(e), point)
            compared += 1
    assert compared > 200
