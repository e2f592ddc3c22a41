"""A trace as JSON: a flat list of nodes in preorder, with all numbers."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

import numpy as np

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
        "nodes": [_node(node, places.get(node.path[:-1]) if node.path else None) for node in tree.nodes],
    }


def json_text(tree: TracedTree) -> str:
    """Return a trace as JSON text, one node per line."""
    facts = as_json(tree)
    nodes = ",\n".join(f"  {json.dumps(node, allow_nan=False)}" for node in facts.pop("nodes"))
    head = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in facts.items())
    return f'{{\n{head} "nodes": [\n{nodes}\n ]\n}}\n'


def _node(node: TracedNode, parent: int | None) -> dict[str, Any]:
    return {
        "expression": str(node.expr),
        "function": node.function,
        "path": list(node.path),
        "parent": parent,
        "depth": node.depth,
        "norm": _number(node.norm),
        "state": _numbers(node.state),
        "memory": None if node.memory is None else _numbers(node.memory),
        "rows": len(node.rows),
        "gates": {name: _numbers(gate) for name, gate in node.gates.items()},
    }


def _numbers(values: Array) -> Any:
    """Return an array as nested lists. A float32 becomes the shortest decimal that stands for it."""
    return [_numbers(row) for row in values] if np.ndim(values) else _number(values)


def _number(value: Any) -> float | None:
    number = float(str(value))
    return number if isfinite(number) else None
