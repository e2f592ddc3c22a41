"""A trace as JSON: a flat list of nodes in preorder, with all numbers."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

import numpy as np

from treesmu.expr import TreePath

from .tree import Array, TracedNode, TracedTree

FORMAT = "treesmu trace"
VERSION = 1  # of the format; it changes if a reader of the former version would go wrong


def as_json(tree: TracedTree) -> dict[str, Any]:
    """Return a trace as plain lists, strings and numbers; values that are not finite are None."""
    places = {node.path: i for i, node in enumerate(tree.nodes)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "model": tree.model,
        "expression": str(tree.expr),
        "is_equation": tree.expr.is_equation,
        "probability": tree.probability,
        "distance": tree.distance,
        "normalised": tree.normalised,
        "untrained": None if tree.untrained is None else list(tree.untrained),
        "point": None if tree.point is None else dict(tree.point),
        "memory_name": tree.memory_name,
        "actions": list(tree.actions),
        "other_gates": list(tree.other_gates),
        "largest_row": _number(tree.largest_row),
        "nodes": [_node(tree, node, places) for node in tree.nodes],
    }


def json_text(tree: TracedTree) -> str:
    """Return a trace as JSON text, one node per line."""
    facts = as_json(tree)
    nodes = ",\n".join(f"  {json.dumps(node, allow_nan=False)}" for node in facts.pop("nodes"))
    head = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in facts.items())
    return f'{{\n{head} "nodes": [\n{nodes}\n ]\n}}\n'


def _node(tree: TracedTree, node: TracedNode, places: dict[TreePath, int]) -> dict[str, Any]:
    distance = tree.distance_to_other_side(node)
    return {
        "expression": str(node.expr),
        "function": node.function,
        "symbol": node.symbol,
        "path": list(node.path),
        "parent": places.get(node.path[:-1]) if node.path else None,
        "children": [places[child.path] for child in node.children],
        "depth": node.depth,
        "height": node.expr.depth,
        "norm": _number(node.norm),
        "other_side": None if distance is None else _number(distance),
        "state": as_numbers(node.state),
        "memory": None if node.memory is None else as_numbers(node.memory),
        "rows": len(node.rows),
        "row_norms": [_number(norm) for norm in node.row_norms],
        "rows_in_use": node.rows_in_use,
        "gates": {name: as_numbers(gate) for name, gate in node.gates.items()},
        "means": {name: _number(mean) for name, mean in node.means.items()},
        "forget": [_number(mean) for mean in node.forget],
    }


def as_numbers(values: Array) -> Any:
    """Return an array as nested lists. A float32 becomes the shortest decimal that stands for it."""
    if values.ndim != 1:
        return [as_numbers(row) for row in values] if values.ndim else _number(float(str(values)))
    numbers = [*map(float, map(str, values))]
    return numbers if np.isfinite(values).all() else [_number(number) for number in numbers]


def _number(value: float) -> float | None:
    return value if isfinite(value) else None
