"""Rewritings of equations that must not change what they say."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import ROOT
from treesmu.expr import check, parse

E = parse("sin(x + y)*2 + y^2 = y^2 + 2*sin(y + x)")


@pytest.fixture(scope="module")
def rewritings() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield importlib.import_module("rewritings")
    for name in ("rewritings", "errors"):
        sys.modules.pop(name, None)


@given(seed=st.integers(0, 10**6))
def test_a_rewriting_has_the_same_depth_size_and_meaning(rewritings: ModuleType, seed: int) -> None:
    other = rewritings.exchanged(E, Random(seed))
    assert (other.depth, other.size) == (E.depth, E.size)
    assert check(other).label == "correct"
    assert E.left.right in (other.left.right, other.left.left)  # y^2 is a power: its operands stay


def test_rewritings_differ(rewritings: ModuleType) -> None:
    assert len({rewritings.exchanged(E, Random(seed)) for seed in range(20)}) > 10
