"""Traces with values that are easy to check: of a hand-made model, and of small built-in ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from treesmu.data import Vocab
from treesmu.expr import parse
from treesmu.models import Model, build
from treesmu.trace import Trace

FIXED = "x + x = 2*x"
_NAN = float("nan")


def fixed_trace(**facts: Any) -> Trace:
    """Return a trace of x + x = 2*x with n = 2 and a stack of 2 rows, whose values were chosen by hand."""
    inner = np.array([1, 0, 0, 1, 0, 0], bool)  # +, x, x, *, 2, x
    values: dict[str, np.ndarray[Any, Any]] = {
        "h": np.array([[3, 4], [1, 0], [1, 0], [0, 2], [0, 1], [1, 0]], float),
        "memory": np.where(inner[:, None, None], [[3.0, 4.0], [0.0, 1.0]], 0.0),
        "push": np.where(inner[:, None], [0.5, 0.7], _NAN),
        "no_op": np.where(inner[:, None], [0.3, 0.3], _NAN),
        "pop": np.where(inner[:, None], [0.2, 0.0], _NAN),
        "u": np.where(inner[:, None], [-0.5, 0.5], _NAN),
        "o": np.where(inner[:, None], [1.0, 1.0], _NAN),
        "f": np.where(inner[:, None, None], [[0.0, 0.0], [1.0, 1.0]], _NAN),
    }
    values["memory"][3] = 0.5 * values["memory"][0]
    given = {"model": "tree-smu", "memory_name": "stack", "probability": 0.875} | facts
    return Trace.from_rows(parse(FIXED), values, 2, **given)


def small_model(name: str = "tree-smu", **settings: Any) -> Model:
    """Return a small model with random weights."""
    return build(name, Vocab.default(), {"hidden": 6, **settings}).eval()
