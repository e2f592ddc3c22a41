"""SymPy knows every function, within a limit of computing time that starts after its import."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import pytest

from treesmu.data.inspect import sympy_witness
from treesmu.data.inspect.mpmath_witness import ask_mpmath
from treesmu.data.inspect.sympy_witness import ask_sympy
from treesmu.expr import FUNCTIONS, Op, equation, leaf, node, op, parse

HALF, THREE = Fraction(1, 2), Fraction(3)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.name)
def test_both_witnesses_know_every_function(f: Op) -> None:
    e = node(f, *(leaf("x"), leaf("2"))[: f.arity])
    point = next(p for p in ({"x": HALF}, {"x": THREE}) if ask_mpmath(equation(e, e), p))
    for right, answer in ((e, "equal"), (node(op("Add"), e, leaf("2")), "different")):
        assert ask_mpmath(equation(e, right), point) == answer
        assert ask_sympy(equation(e, right), point, 60) == answer


def test_sympy_is_stopped_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def evaluate_for_a_minute(*_: object) -> list[tuple[int, int]]:
        end = time.process_time() + 60
        while time.process_time() < end:
            pass
        return [(1, 200), (1, 200)]  # equal: an answer, which comes too late

    monkeypatch.setattr(sympy_witness, "_evalf", evaluate_for_a_minute)
    assert ask_sympy(parse("x = x"), {"x": HALF}, 0.05) == ""


def test_sympy_is_imported_before_its_time_runs() -> None:
    code = """
import sys
from contextlib import contextmanager
from fractions import Fraction
from treesmu.data.inspect import sympy_witness
from treesmu.expr import parse

assert "sympy" not in sys.modules
entered, limit = [], sympy_witness._at_most

@contextmanager
def check_import_and_limit(seconds):
    assert sys.modules["sympy"].printing  # an attribute that a half-imported module lacks
    entered.append(frozenset(sys.modules))
    with limit(seconds):
        yield

sympy_witness._at_most = check_import_and_limit
assert sympy_witness.ask_sympy(parse("sin(x)^2 + cos(x)^2 = 1"), {"x": Fraction(1, 2)}, 60) == "equal"
assert len(entered) == 1
assert not [name for name in set(sys.modules) - entered[0] if name.startswith(("sympy", "mpmath"))]  # nor any part later
"""
    subprocess.run([sys.executable, "-c", code], check=True)
