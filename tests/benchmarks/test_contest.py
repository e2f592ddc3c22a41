"""The benchmarks run with the library as it is: every contestant of ours takes a step, every script can be imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paths import ROOT

FOLDER = ROOT / "benchmarks"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))
TEXTS = ["Equality Add x y Add y x", "Equality Mul 2 x Add x x", "Equality sin x cos x", "Equality x sin x"]


@pytest.fixture(autouse=True)
def folder_of_benchmarks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder of the scripts is where Python finds their modules, as when one of them is run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(FOLDER):
            del sys.modules[name]


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_can_be_imported(name: str) -> None:
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("contestant", ["Ours", "InALoop", "WithHiddenLayer", "ByHand", "PerLevel"])
@pytest.mark.parametrize("cell", ["tree-smu", "tree-lstm"])
def test_our_contestants_learn_and_infer(contestant: str, cell: str) -> None:
    equations = importlib.import_module("contest.equations").Equations("few", TEXTS, np.array([1, 1, 0, 0]))
    ours: Any = importlib.import_module("contest.ours")
    racer = getattr(ours, contestant)(equations, ours.Setting(cell, 4, 2 if cell == "tree-smu" else 0))
    rows = racer.prepare(np.arange(4))
    before = racer.infer(rows)
    racer.train(rows, equations.labels)
    assert before.shape == (4,)
    assert not np.array_equal(before, racer.infer(rows))


def test_fillers_of_one_blank_are_counted_by_both_ways_of_search() -> None:
    import treesmu

    search = importlib.import_module("search")
    e, question = treesmu.parse("sin(x)^2 + cos(x)^2 = 1"), treesmu.parse("sin(x)^2 + _ = 1")
    found = search.measure([(e, question, (0, 1))], treesmu.load(), search_only=False)
    assert (found["blanks"], found["search"]["found"], found["search"]["with_value_of_answer"]) == (1, 1, 1)
    assert found["complete --verified"]["found"] == 1
