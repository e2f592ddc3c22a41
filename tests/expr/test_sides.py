"""The sides of an equation in prefix order are those of its tree."""

from __future__ import annotations

import pytest

from treesmu.expr import parse
from treesmu.expr.sides import split_sides


@pytest.mark.parametrize("text", ["x = 1", "sin(x)^2 + cos(x)^2 = 1", "1 = log(x, 2)*y", "(x + y)*z = x*z + -1/2*y"])
def test_sides_are_those_of_the_tree(text):
    e = parse(text)
    assert split_sides(" ".join(e.prefix())) == tuple(" ".join(side.prefix()) for side in e.children)
