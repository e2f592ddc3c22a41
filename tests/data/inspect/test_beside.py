"""The figures of two sets of equations side by side are those counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect import beside
from treesmu.data.inspect.beside import content, count_rows, functions, label_truth, leaks, side_sizes, tables_beside
from treesmu.expr import parse

RNG = np.random.default_rng(0)
TEXTS = {"sin(x)^2 + cos(x)^2 = 1": 1, "1 + x = x + 1": 1, "x + 0 = 0": 0, "exp(x) = x": 0, "x + 1 = 1 + x": 0}


def dataset(texts: dict[str, int] = TEXTS) -> Dataset:
    return Dataset.of([parse(text) for text in texts], texts.values())


def test_rows_are_counted():
    assert count_rows(dataset(), RNG) == {"equations": 5, "correct": 0.4, "of depth 2": 0.8, "of depth 4": 0.2}


def test_sizes_of_the_sides_are_medians(monkeypatch):
    assert side_sizes(dataset(), RNG) == {}  # too few rows of each depth
    monkeypatch.setattr(beside, "FEW", 1)
    found = side_sizes(dataset(), RNG)
    assert found == {"smaller, depth 2": 2, "larger, depth 2": 3, "smaller, depth 4": 1, "larger, depth 4": 9}


def test_content_is_counted_by_label():
    found = content(dataset(), RNG)
    assert found["nodes that are 0 or 1, correct, depth 1-7"] == 3 / 18
    assert found["nodes that are 0 or 1, incorrect, depth 1-7"] == 4 / 16
    assert found["with trigonometric functions, correct, depth 1-7"] == 0.5
    assert found["with trigonometric functions, incorrect, depth 1-7"] == 0
    assert not any("8 and more" in name for name in found)


def test_functions_are_counted_by_label():
    found = functions(dataset(), RNG)
    assert (found["sin, correct"], found["sin, incorrect"]) == (0.5, 0)
    assert (found["exp, correct"], found["exp, incorrect"]) == (0, 1 / 3)


def test_labels_are_compared_with_the_check():
    found = label_truth(dataset(), RNG)
    assert found["called correct, depth 1-7: correct"] == 1
    assert found["called incorrect, depth 1-7: correct"] == pytest.approx(1 / 3)
    assert found["called incorrect, depth 1-7: incorrect"] == pytest.approx(2 / 3)


def nested(depth: int, function: str = "sin") -> str:
    return f"{function}(" * depth + "x" + ")" * depth


def test_a_side_of_a_training_equation_is_seen_and_a_function_gives_the_label_away():
    """Every equation of depth 8 has the side x, as those for training; incorrect ones have exp."""
    shallow = {f"{nested(d)} = x + {n}": 1 for d in (1, 2, 3) for n in range(40)}
    shallow |= {f"{nested(d, 'exp')} = x + {n}": 0 for d in (1, 2, 3) for n in range(40)}
    deep = {f"{nested(8)} = x + 3": 1, f"{nested(9, 'exp')} = x + 4": 0, f"{nested(9)} = y*x": 1}
    found = leaks(dataset(shallow | deep), np.random.default_rng(0))
    assert found["larger class, depth 8 and more"] == pytest.approx(2 / 3)
    assert found["bag of tokens, depth 1-7"] == 1
    assert found["bag of tokens, depth 8 and more"] == 1
    assert found["one side seen in training, depth 8 and more"] == pytest.approx(2 / 3)
    assert leaks(dataset(), RNG).keys() <= found.keys()


def test_a_set_beside_itself_has_the_same_figures(monkeypatch):
    monkeypatch.setattr(beside, "FEW", 1)
    found = tables_beside(dataset(), dataset({**TEXTS, "x = x": 1}))
    assert list(found) == ["rows", "sizes", "content", "functions", "leaks", "truth"]
    rows = found["rows"].records()
    assert rows[0] == {"figure": "equations", "memory": 5, "memory (second)": 6}
    assert {"figure": "of depth 1", "memory": "-", "memory (second)": pytest.approx(1 / 6)} in rows
    for table in tables_beside(dataset(), dataset()).values():
        assert all(row["memory"] == row["memory (second)"] for row in table.records())
