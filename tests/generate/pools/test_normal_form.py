"""Normal forms prove what arithmetic proves, nothing false, and no identity of trigonometry."""

from __future__ import annotations

import pytest

import treesmu
from treesmu.expr import parse
from treesmu.generate.pools.normal_form import is_proved
from treesmu.generate.pools.pool import GrowthSettings
from treesmu.generate.pools.shard import PoolSettings, grow_pool


@pytest.mark.parametrize(
    "text",
    [
        "x + y = y + x",
        "(x*y)*z = x*(z*y)",
        "2*(x + y) = 2*x + 2*y",
        "x - x = 0",
        "x*x = x^2",
        "x/x = 1",
        "1*(0 + x^1) = x",
        "0*sin(x) = 0*y",
        "4^tanh(0) = 1",
        "sqrt(4)*x = x + x",
        "0.7*10 = 7",
        "cos(0*x) = 1",
        "sin(x)*2 + sin(x) = 3*sin(x*1)",
        "2^(x + 1)*2^(-x) = 2",
        "asin(0*x) = 0",
    ],
)
def test_arithmetic_is_proved(text):
    assert is_proved(parse(text), {})


@pytest.mark.parametrize(
    "text",
    ["sin(x)^2 + cos(x)^2 = 1", "sin(-x) = -sin(x)", "x + 1 = x", "0*x = 1", "x^2 = x", "x*y = x + y", "2^x = x^2", "x = y"],
)
def test_trigonometry_and_what_is_false_is_not_proved(text):
    assert not is_proved(parse(text), {})


def test_what_is_proved_is_never_incorrect():
    rows = grow_pool(PoolSettings(GrowthSettings(300)), "proved", 12)
    memo: dict = {}
    proved = [text for text in rows.infix if is_proved(parse(text), memo)]
    assert len(proved) > 100
    assert "incorrect" not in {v.label for v in treesmu.check_many(proved)}
