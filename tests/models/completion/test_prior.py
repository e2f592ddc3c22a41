"""The prior: values are counted whatever their trees and the names of their variables, and add to the logits."""

from __future__ import annotations

from math import inf, log, nan
from typing import Any

import numpy as np
import pytest

from treesmu.data import Candidates, DataError
from treesmu.expr import parse
from treesmu.models.completion.prior import ValuePrior

FILLERS = tuple(parse(text) for text in ("x", "y", "1*x", "2", "x + y", "y + x", "x^y", "y^x", "0", "sin(x)"))
CLASSES = np.array([0, 1, 0, 2, 3, 3, 4, 5, 6, 7])
COUNTS = np.array([70, 30, 70, 40, 8, 8, 2, 1, 0, 5])
CANDIDATES = Candidates("here", FILLERS, CLASSES, COUNTS)


def test_counts_are_summed_over_names_of_variables() -> None:
    prior = ValuePrior.count(CANDIDATES, 0.5)
    assert prior.counts == {"x": 100, "2": 40, "Add x y": 8, "Pow x y": 3, "sin x": 5}
    assert prior.weight == 0.5
    with pytest.raises(DataError, match="no counts of training equations"):
        ValuePrior.count(Candidates.of([parse("x")]))


def test_the_bonus_is_the_weighted_logarithm_of_the_count_of_the_value() -> None:
    prior = ValuePrior.count(CANDIDATES, 0.5)
    fillers = [parse(text) for text in ("z", "z*1", "1 + 1", "b + a", "a^b", "0", "cos(z)", "sin(z)*1", "z + z")]
    expected = [100, 100, 40, 8, 3, 0, 0, 5, 0]
    found = prior.bonus(parse("a + b + z = _"), fillers)
    assert found == pytest.approx([0.5 * log(1 + n) for n in expected])


def test_a_filler_with_a_variable_that_the_equation_does_not_have_gets_none() -> None:
    prior = ValuePrior.count(CANDIDATES, 1.0)
    found = prior.bonus(parse("sin(x) = _"), [parse(text) for text in ("x", "y", "x + y", "2")])
    assert found == pytest.approx([log(101), 0, 0, log(41)])
    assert prior.bonus(parse("1 = _"), [parse("2"), parse("x")]) == pytest.approx([log(41), 0])


def test_it_is_stored_as_plain_values() -> None:
    prior = ValuePrior.count(CANDIDATES, 0.25)
    again = ValuePrior.from_dict(prior.to_dict())
    assert (again.weight, again.counts) == (prior.weight, prior.counts)
    assert ValuePrior.from_dict({"weight": 0, "counts": {}}).bonus(parse("x = _"), [parse("x")]).tolist() == [0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "its weight must be a number"),
        ({"weight": "1", "counts": {}}, "its weight must be a number"),
        ({"weight": nan, "counts": {}}, "its weight must be a number"),
        ({"weight": inf, "counts": {}}, "its weight must be a number"),
        ({"weight": 10**400, "counts": {}}, "its weight must be a number"),
        ({"weight": -1, "counts": {}}, "its weight must be a number"),
        ({"weight": 1, "counts": []}, "its counts must be whole numbers"),
        ({"weight": 1, "counts": {"x": 1.5}}, "its counts must be whole numbers"),
        ({"weight": 1, "counts": {"x": 0}}, "its counts must be whole numbers"),
        ({"weight": 1, "counts": {"Add x": 1}}, "Add lacks an argument"),
        ({"weight": 1, "counts": {"": 1}}, "0 expressions where one is expected"),
        ({"weight": 1, "counts": {"nonsense x": 1}}, "unknown function"),
    ],
)
def test_a_damaged_prior_is_refused(data: Any, said: str) -> None:
    with pytest.raises(DataError, match=f"the prior: .*{said}.*treesmu fit-prior|the prior: {said}"):
        ValuePrior.from_dict(data)
