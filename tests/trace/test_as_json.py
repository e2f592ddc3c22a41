"""A trace as JSON: all values of all nodes, in a format with a version."""

from __future__ import annotations

import json

import numpy as np

from traces import FIXED, fixed_trace, small_model
from treesmu.expr import parse
from treesmu.trace import Trace
from treesmu.trace.as_json import as_json, json_text


def test_the_facts_and_the_first_node() -> None:
    record = as_json(fixed_trace())
    nodes = record.pop("nodes")
    assert record == {
        "format": "treesmu trace",
        "version": 1,
        "model": "tree-smu",
        "expression": FIXED,
        "is_equation": True,
        "probability": 0.875,
        "distance": np.sqrt(13),
        "normalised": "none",
        "untrained": None,
        "point": None,
        "memory_name": "stack",
        "actions": ["push", "no_op", "pop"],
        "other_gates": ["o"],
        "largest_row": 5.0,
    }
    assert nodes[0] == {
        "expression": "x + x",
        "function": "Add",
        "symbol": "+",
        "path": [0],
        "parent": None,
        "children": [1, 2],
        "depth": 1,
        "height": 1,
        "norm": 5.0,
        "other_side": np.sqrt(13),
        "state": [3.0, 4.0],
        "memory": [[3.0, 4.0], [0.0, 1.0]],
        "rows": 2,
        "row_norms": [5.0, 1.0],
        "rows_in_use": 2,
        "gates": {
            "push": [0.5, 0.7],
            "no_op": [0.3, 0.3],
            "pop": [0.2, 0.0],
            "u": [-0.5, 0.5],
            "o": [1.0, 1.0],
            "f": [[0.0, 0.0], [1.0, 1.0]],
        },
        "means": {name: np.mean(gate) for name, gate in nodes[0]["gates"].items()},
        "forget": [0.0, 1.0],
    }
    assert [node["parent"] for node in nodes] == [None, 0, 0, None, 3, 3]
    assert [node["children"] for node in nodes] == [[1, 2], [], [], [4, 5], [], []]


def test_the_text_holds_every_number_exactly() -> None:
    trace = small_model().trace("sin(x)^2 + cos(x)^2 = 1")
    for node, record in zip(trace.nodes, json.loads(json_text(trace))["nodes"], strict=True):
        assert np.array_equal(node.state, np.array(record["state"], np.float32))
        assert np.array_equal(node.rows, np.array(record["memory"], np.float32))
        assert {name: np.array(gate, np.float32).tolist() for name, gate in record["gates"].items()} == {
            name: gate.tolist() for name, gate in node.gates.items()
        }


def test_values_that_json_does_not_have_are_null() -> None:
    trace = Trace.from_rows(parse("x"), {"h": np.array([[np.inf, 1.0]])}, 0, model="m")
    record = json.loads(json_text(trace))["nodes"][0]
    assert (record["state"], record["norm"], record["memory"], record["other_side"]) == ([None, 1.0], None, None, None)
