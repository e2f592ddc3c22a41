"""The exchange that changes a verdict: equal, the smallest there is, and found by what the model says."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from traces import small_model
from treesmu.experiments.probes.exchange import Exchange, find_exchange
from treesmu.expr import Expr, check, equation, parse
from treesmu.models import Model


class _Believer(Model):
    """Says that an equation is correct unless it contains the expression that it does not know."""

    def __init__(self, unknown: str) -> None:
        small = small_model()
        super().__init__(small.name, small.encoder, small.head)
        self.unknown = parse(unknown)

    def verify(self, equations: Iterable[Expr | str]) -> np.ndarray:  # type: ignore[type-arg]
        return np.array([0.25 if self.unknown in e.subexpressions() else 0.75 for e in equations if isinstance(e, Expr)])


def _found(unknown: str, text: str) -> Exchange:
    exchange, tried = find_exchange(_Believer(unknown), parse(text))
    assert exchange is not None
    assert tried > 0
    return exchange


def test_the_sub_expression_that_the_model_does_not_know_is_exchanged() -> None:
    found = _found("tan(t)", "1 + tan(t)^2 = 1/cos(t)^2")
    assert (str(found.before), found.path, found.is_on_left, found.probability) == ("tan(t)", (0, 1, 0), True, 0.75)
    assert check(equation(found.before, found.after)).label == "correct"
    assert found.equation is parse("1 + tan(t)^2 = 1/cos(t)^2").replace(found.path, found.after)
    assert check(found.equation).label == "correct"


def test_the_right_side_is_searched_too() -> None:
    found = _found("sin(x)", "1/csc(x) = sin(x)")
    assert (str(found.before), found.path, found.is_on_left) == ("sin(x)", (1,), False)


def test_the_smallest_one_is_returned() -> None:
    """cos(x)^2 can be exchanged, and so can the whole side; but exchanging cos(x) changes both."""
    assert str(_found("cos(x)^2", "1 - cos(x)^2 = sin(x)^2").before) == "cos(x)"


@pytest.mark.parametrize("text", ["x = x + 1", "sin(x) = sin(x)"])
def test_none_is_found_where_nothing_helps(text: str) -> None:
    exchange, _ = find_exchange(_Believer("x"), parse(text))
    assert exchange is None


def test_no_exchange_makes_both_sides_the_same() -> None:
    """tan(x) = sin(x)/cos(x) must not be explained by sin(x)/cos(x) = sin(x)/cos(x)."""
    exchange, _ = find_exchange(_Believer("tan(x)"), parse("tan(x) = sin(x)/cos(x)"))
    assert exchange is not None
    assert exchange.equation.left is not exchange.equation.right
