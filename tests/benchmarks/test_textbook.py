"""The held-out list of textbook identities and slips: labels, balance and variety of benchmarks/textbook.csv."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from in_process import treesmu
from paths import ROOT
from treesmu.data import Vocab
from treesmu.data.inspect.mpmath_witness import ask_mpmath
from treesmu.expr import Expr, check_many, parse
from treesmu.generate.axioms import FAMILIES, axioms_of
from treesmu.generate.fingerprint import fingerprints
from treesmu.models import build, save

FILE = ROOT / "benchmarks" / "textbook.csv"
ROWS = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
EQUATIONS = [parse(row["equation"]) for row in ROWS]
IS_TRUE = np.array([row["label"] == "1" for row in ROWS])
SLIPS_OF_THE_ISSUE = ("(a + b)^2 = a^2 + b^2", "sin(x + y) = sin(x) + sin(y)", "x^2*x^3 = x^6")
POINTS = 12


def test_there_are_200_identities_each_followed_by_a_slip_that_shares_a_side_with_it() -> None:
    assert Counter(row["label"] for row in ROWS) == {"1": 200, "0": 200}
    assert IS_TRUE.tolist() == [True, False] * 200
    for identity, slip in zip(EQUATIONS[::2], EQUATIONS[1::2], strict=True):
        assert set(identity.children) & set(slip.children), f"{slip} is not close to {identity}"
    assert set(SLIPS_OF_THE_ISSUE) <= {row["equation"] for row in ROWS[1::2]}


def test_every_topic_has_20_of_each() -> None:
    found = Counter((row["topic"], row["label"]) for row in ROWS)
    assert len(found) == 20
    assert set(found.values()) == {20}
    assert all(row["note"] for row in ROWS)


def test_the_numeric_check_confirms_every_label() -> None:
    verdicts = [verdict.label for verdict in check_many(EQUATIONS)]
    assert verdicts == ["correct" if is_true else "incorrect" for is_true in IS_TRUE]


def answers_of_mpmath(e: Expr, seed: int) -> Counter[str]:
    """Return how often mpmath, with 50 digits, finds the sides equal or different at random points where both are defined."""
    rng, names = Random(seed), [v.token for v in e.variables()]
    found: Counter[str] = Counter()
    for k in range(POINTS if names else 1):
        low, high = ((-1, 1), (0, 1), (1, 4), (-4, 4))[k % 4]
        found[ask_mpmath(e, {name: Fraction(f"{rng.uniform(low, high):.6f}") for name in names})] += 1
    del found[""]
    return found


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_mpmath_confirms_every_label(first: int) -> None:
    for place in range(first, first + 100):
        found, e = answers_of_mpmath(EQUATIONS[place], place), EQUATIONS[place]
        assert set(found) == {"equal" if IS_TRUE[place] else "different"}, e
        assert found.total() >= (1 if e.is_constant else 3), e


def test_no_two_rows_are_equal_up_to_names_order_and_sides() -> None:
    assert len(set(fingerprints(EQUATIONS).tolist())) == 400


def test_models_can_read_every_row_and_every_function_occurs() -> None:
    vocab = Vocab.default()
    tokens = {token for e in EQUATIONS for token in e.prefix()}
    assert tokens <= {*vocab.functions, *vocab.leaves, vocab.equality}
    assert set(vocab.functions) <= tokens
    assert {e.depth for e in EQUATIONS} == set(range(2, 8))


def test_few_identities_are_axioms_of_the_generator_and_no_slip_is() -> None:
    """Every generated corpus contains the axioms, so that these cannot be held out."""
    axioms = fingerprints(axiom.equation for family in FAMILIES for axiom in axioms_of(family))
    is_axiom = np.isin(fingerprints(EQUATIONS), axioms)
    assert is_axiom[~IS_TRUE].sum() == 0
    assert is_axiom[IS_TRUE].sum() <= 40


def test_evaluate_and_verify_read_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(build("majority", Vocab.default()), tmp_path / "model.safetensors")
    measured = treesmu(capsys, "evaluate", tmp_path / "model.safetensors", FILE, "--json").stdout
    overall = json.loads(measured)["overall"]
    assert (overall["equations"], overall["recall"], overall["specificity"]) == (400, 1.0, 0.0)
    verified = json.loads(treesmu(capsys, "verify", "--no-model", "--file", FILE, "--json").stdout)
    assert [answer["label"] == "correct" for answer in verified] == IS_TRUE.tolist()
