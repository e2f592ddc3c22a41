"""Two independent ways give the same answer: a few hundred of what tests/fuzz/run.py compares."""

from __future__ import annotations

import math
import random

import pytest

from fuzzing import differential
from fuzzing.differential import CASES, check_case, parser_case, passes_case, python_value, tree_value
from samples import compiles
from treesmu.expr import parse
from treesmu.expr.numeric.verdict import Verdict


def test_the_parser_reads_calculator_notation_as_python_does() -> None:
    rng = random.Random(1)
    compared = [parser_case(rng) for _ in range(400)]
    assert sum(compared) > 200


@pytest.mark.parametrize(
    ("text", "value"), [("-2^2", -4), ("2^3^2", 512), ("8/4/2", 1), ("8-4-2", 2), ("2^-1", 0.5), ("-x^2*3", -12)]
)
def test_precedence_is_that_of_python(text: str, value: float) -> None:
    point = {"x": 2.0}
    assert math.isclose(python_value(text, point), value)
    assert math.isclose(tree_value(parse(text), point), value)


def test_the_numeric_verdict_is_that_of_mpmath() -> None:
    rng = random.Random(2)
    assert sum(check_case(rng) for _ in range(120)) > 60


@compiles
def test_the_compiled_pass_equals_the_hand_written_one_for_random_trees() -> None:
    rng = random.Random(3)
    assert all(passes_case(rng) for _ in range(6))  # a setting that was not compiled before takes some seconds


def test_a_wrong_parser_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differential, "parse", lambda text: parse(text.replace("-", "+")))
    rng = random.Random(1)
    with pytest.raises(AssertionError, match="Python"):
        [parser_case(rng) for _ in range(100)]


def test_a_wrong_verdict_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differential, "check", lambda _: Verdict("correct", 24))
    rng = random.Random(2)
    with pytest.raises(AssertionError, match="correct"):
        [check_case(rng) for _ in range(100)]


def test_every_comparison_has_a_command() -> None:
    assert set(CASES) == {"parser", "check", "passes"}
