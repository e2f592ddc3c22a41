"""Prefix strings have the fingerprints of the equations that they stand for."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest

from treesmu.expr import Expr, parse
from treesmu.generate import fingerprint
from treesmu.generate.axioms import FAMILIES, collect_axioms
from treesmu.generate.chains.grow import Grower
from treesmu.generate.fingerprint import fingerprints, prefix_fingerprints


def prefix_strings(equations: list[Expr]) -> pa.Array:
    return pa.array([" ".join(e.prefix()) for e in equations], pa.large_string())


def test_of_grown_equations(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fingerprint, "_PLANNED", 50)  # several plans
    grower = Grower(collect_axioms(FAMILIES), Random(7))
    grown = [e for e in (grower.start() for _ in range(60)) if e is not None]
    grown += [e for e in (grower.grow(e, 9) for e in grown) if e is not None]
    assert prefix_fingerprints(prefix_strings(grown)).tolist() == fingerprints(grown).tolist()


@pytest.mark.parametrize(
    "texts", [["theta = sin(phi)", "x = y"], ["a*b*c*d*u = v"], ["17*x = 17*y", "sin(2.5) = 0.598"], []], ids=len
)
def test_of_other_names_many_variables_and_other_numbers(texts: list[str]):
    equations = [parse(text) for text in texts]
    assert prefix_fingerprints(prefix_strings(equations)).tolist() == fingerprints(equations).tolist()
