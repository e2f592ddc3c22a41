"""What a vocabulary offers for a blank, and under which names variables are read."""

from __future__ import annotations

import pytest

from treesmu.data import Vocab
from treesmu.expr import leaf, parse
from treesmu.models import build
from treesmu.models.completion.candidates import Offer, known_names, vocabulary
from treesmu.models.model import Model

COMMON = {"0", "1", "2", "3", "4", "5", "10", "-1", "-2", "-3", "1/2", "-1/2", "1/3", "pi", "e"}


@pytest.fixture
def model() -> Model:
    return build("tree-rnn", Vocab.default(), {"hidden": 3})


def test_the_leaves_are_common_numbers_and_what_the_equation_has(model: Model) -> None:
    offer = Offer.of(model, parse("x + _ = 7*y"), any_variable=False, all_leaves=False)
    assert {e.token for e in offer.leaves} == {*COMMON, "x", "y", "7"}
    assert {e.token for e in offer.numbers} == {t for t in model.vocab.leaves if not leaf(t).is_variable} - COMMON - {"7"}
    assert "Equality" not in {f.name for f in offer.functions}


def test_all_variables_and_numbers_if_they_are_asked_for(model: Model) -> None:
    offer = Offer.of(model, parse("x = _"), any_variable=True, all_leaves=True)
    assert {e.token for e in offer.leaves} == set(model.vocab.leaves)
    assert offer.numbers == []
    assert vocabulary(model)[0] == offer.leaves


def test_unknown_variables_are_read_under_known_names(model: Model) -> None:
    there, back = known_names(model, parse("theta + x = _"), [parse("beta")])
    assert there == {leaf("theta"): leaf("y"), leaf("beta"): leaf("z")}
    assert back == {leaf("y"): leaf("theta"), leaf("z"): leaf("beta")}
