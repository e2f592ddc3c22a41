"""The figures of errors by kind of change and by family: what is counted, on equations whose answers are known."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from corpora import write_corpus
from treesmu.data import Dataset
from treesmu.expr import check_many, parse
from treesmu.generate.alter import CHANGES

FILE = Path(__file__).parents[2] / "benchmarks" / "errors.py"


@pytest.fixture(scope="module")
def errors() -> ModuleType:
    spec = importlib.util.spec_from_file_location("errors_benchmark", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class AcceptsAll:
    """A model that calls every equation correct."""

    def verify(self, equations: list[Any]) -> np.ndarray[Any, Any]:
        return np.full(len(equations), 0.9)


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("x + y = y + x", "algebra only"),
        ("sin(2x) = 2 sin(x) cos(x)", "trigonometric"),
        ("atan(x) = acot(1/x)", "inverse"),
        ("cosh(x) = (exp(x) + exp(-x))/2", "mixed"),
    ],
)
def test_the_family_is_that_of_the_functions_besides_sums_products_and_powers(errors: Any, text: str, family: str) -> None:
    assert errors.family_of(parse(text)) == family


@pytest.mark.parametrize("change", CHANGES)
def test_a_near_miss_differs_and_is_incorrect(errors: Any, change: str) -> None:
    correct = [parse("sin(x)^2 + cos(x)^2 = 1"), parse("log(x, 2) - y = -y + log(x, 2)")]
    made = errors.near_misses(correct, change, seed=3)
    assert made
    assert not set(made) & set(correct)
    assert {verdict.label for verdict in check_many(made)} == {"incorrect"}


def test_a_change_that_is_possible_nowhere_gives_nothing(errors: Any) -> None:
    assert errors.changed(parse("x = y"), "constant", Random(0)) is None


def test_who_accepts_everything_accepts_the_correct_and_rejects_no_near_miss(errors: Any) -> None:
    found = errors.by_change(AcceptsAll(), [parse("sin(x)^2 + cos(x)^2 = 1")] * 3, seed=0)
    assert found["correct (accepted)"]["all"] == {"equations": 3, "percent": 100.0}
    assert found["correct (accepted)"]["8-13"] == {"equations": 0, "percent": None}
    assert {found[change]["all"]["percent"] for change in CHANGES if found[change]["all"]["equations"]} == {0.0}
    assert "| constant | 0.0 | - | - | 0.0 |" in errors.table("change", found)


def test_accuracy_by_family_counts_every_row_once(errors: Any, tmp_path: Path) -> None:
    rows = [("sin(-x) = -sin(x)", 1, "rewrite"), ("sin(x) = cos(x)", 0, "mutation"), ("x + 1 = x", 0, "mutation")]
    data = Dataset.read(write_corpus(tmp_path / "corpus", rows), "test")
    found = errors.by_family(AcceptsAll(), data)
    assert found["trigonometric"]["all"] == {"equations": 2, "percent": 50.0}
    assert found["algebra only"]["all"] == {"equations": 1, "percent": 0.0}


def test_at_most_so_many_rows_of_each_depth_are_drawn(errors: Any, tmp_path: Path) -> None:
    rows = [(f"x + {k} = {k} + x", 1, "rewrite") for k in range(1, 7)] + [("x = x", 1, "rewrite")]
    data = Dataset.read(write_corpus(tmp_path / "corpus", rows), "test")
    assert np.bincount(errors.drawn(data, 4, Random(0)).depth).tolist() == [0, 1, 4]
