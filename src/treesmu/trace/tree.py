"""TracedNode and TracedTree: the states, memories and gates of all nodes of an expression, each where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import Expr, TreePath

Array = NDArray[np.floating[Any]]
ACTIONS = ("push", "no_op", "pop")
MOST_NODES = 2_000  # of a traced expression: more can neither be drawn nor read
IN_USE = 0.001  # the norm above which a row of a memory counts as used, as in the paper
_SYMBOLS = {"Add": "+", "Mul": "×", "Pow": "^", "Equality": "="}


@dataclass(frozen=True, eq=False, repr=False)
class TracedNode:
    """One occurrence of a sub-expression: an expression that occurs twice in a tree has two nodes with equal values.

    state: (n,). memory: what the cell stores besides it, with the cell's shape; None if it stores nothing.
    rows: the rows of the memory that are drawn, (rows, n): the stack with its top first, or a vector as one row.
    gates: as the cell's step returns them, by name, such as ``push`` (n,) and ``f`` (arity, n), the forget gate of each
    child; {} at a leaf.
    """

    expr: Expr
    path: TreePath  # positions of children from the root of the traced expression; () is the root
    state: Array
    memory: Array | None
    rows: Array
    gates: Mapping[str, Array]
    children: tuple[TracedNode, ...]

    @property
    def function(self) -> str:
        """The token of the node: ``Add``, ``sin``, ``x``."""
        return self.expr.token

    @property
    def symbol(self) -> str:
        """The sign that a drawing shows: ``+``, ``sin``, ``x``."""
        return symbol_of(self.expr)

    @property
    def depth(self) -> int:
        """The distance from the root of the traced expression; the sides of an equation are at depth 1."""
        return len(self.path)

    @property
    def norm(self) -> float:
        """The length of the state."""
        return float(np.linalg.norm(self.state.astype(np.float64)))

    @property
    def row_norms(self) -> list[float]:
        """The length of each row of the memory, the top first."""
        return [float(norm) for norm in np.linalg.norm(self.rows.astype(np.float64), axis=1)]

    @property
    def rows_in_use(self) -> int:
        """The number of rows of the memory that are not empty: their norm is above 0.001, as in the paper."""
        return sum(norm > IN_USE for norm in self.row_norms)

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean of each gate over its entries."""
        return {name: float(np.mean(values)) for name, values in self.gates.items()}

    @property
    def forget(self) -> list[float]:
        """The mean forget gate of each child: how much of the child's memory is kept; [] without forget gates."""
        if "f" not in self.gates:
            return []
        return [float(np.mean(values)) for values in self.gates["f"]]

    def __repr__(self) -> str:
        return f"<TracedNode {self.expr!s:.60} at {self.path}>"


@dataclass(frozen=True, eq=False, repr=False)
class TracedTree:
    """What a model computes for an expression. ``nodes`` are all nodes in preorder, without the equality, which has no state.

    model: its name. memory_name: what the rows of a memory are: a ``stack``, a ``queue``, or any other ``memory``.
    normalised: how the model normalises the state of every node: ``none``, ``unit`` (length 1) or ``layer`` (layer norm).
    probability: that the equation is correct; None for a plain expression.
    point: the values of variables with which the model read the expression, which it also does at other points; None for a
    model that reads variables as such.
    """

    expr: Expr
    model: str
    nodes: tuple[TracedNode, ...]
    memory_name: str = "memory"
    probability: float | None = None
    normalised: str = "none"
    untrained: tuple[str, ...] | None = None
    point: Mapping[str, float] | None = None
    _by_path: dict[TreePath, TracedNode] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_path", {node.path: node for node in self.nodes})

    @property
    def point_text(self) -> str:
        """The values of variables as text: ``" at x = 0.83, y = 0.41"``; empty if there are none."""
        values = ", ".join(f"{name} = {value:.4g}" for name, value in (self.point or {}).items())
        return f" at {values}" if values else ""

    @classmethod
    def from_rows(cls, expr: Expr, values: Mapping[str, Array], rows: int, **facts: Any) -> Self:
        """Make the tree of an expression from arrays with one row per node, in preorder without the equality.

        values: ``h`` (nodes, n), ``memory`` (nodes, ...) if there is one, and gates, NaN where a node has none.
        rows: how many rows of the memory are drawn. facts: the other fields.
        """
        check_size(expr)
        preorder = _preorder(expr)
        built: dict[TreePath, TracedNode] = {}
        for i, (path, e) in reversed(list(enumerate(preorder))):
            state, memory = values["h"][i], values["memory"][i] if "memory" in values else None
            drawn = np.zeros((0, len(state))) if memory is None else memory.reshape(-1, memory.shape[-1])[:rows]
            children = tuple(built[*path, k] for k in range(len(e.children)))
            built[path] = TracedNode(e, path, state, memory, drawn, _gates(values, i, len(children)), children)
        return cls(expr, nodes=tuple(built[path] for path, _ in preorder), **facts)

    def __len__(self) -> int:
        """Return the number of nodes, without the equality."""
        return len(self.nodes)

    def at(self, path: TreePath) -> TracedNode:
        """Return the node at a path, as in ``expr.at(path)``; the sides of an equation are at (0,) and (1,)."""
        if path not in self._by_path:
            raise IndexError(f"there is no node with a state at {path}")
        return self._by_path[path]

    @property
    def sides(self) -> tuple[TracedNode, ...]:
        """The roots: both sides of an equation, or a plain expression alone."""
        return (self.at((0,)), self.at((1,))) if self.expr.is_equation else (self.at(()),)

    @property
    def distance(self) -> float | None:
        """The distance between the states of the two sides; None for a plain expression."""
        return self.distance_to_other_side(self.sides[0])

    def distance_to_other_side(self, node: TracedNode) -> float | None:
        """Return the distance between the state of a node and that of the whole other side; None for a plain expression."""
        if not self.expr.is_equation:
            return None
        other = self.sides[1 - node.path[0]]
        return float(np.linalg.norm(node.state.astype(np.float64) - other.state))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions of the stack that the cell has: push, no_op, pop; () without a stack."""
        return tuple(name for name in ACTIONS if any(name in node.gates for node in self.nodes))

    @cached_property
    def other_gates(self) -> tuple[str, ...]:
        """The other gates with values between 0 and 1, such as o; without u, which is a value, and f, which has children."""
        names = dict.fromkeys(name for node in self.nodes for name in node.gates)
        return tuple(name for name in names if name not in (*ACTIONS, "u", "f") and self._is_gate(name))

    def _is_gate(self, name: str) -> bool:
        values = [node.gates[name] for node in self.nodes if name in node.gates]
        return all(bool(np.all((value >= 0) & (value <= 1))) for value in values)

    @cached_property
    def largest_row(self) -> float:
        """The largest norm of a row of a memory, which drawings show darkest."""
        return max((norm for node in self.nodes for norm in node.row_norms), default=0.0)

    @property
    def about_norms(self) -> str:
        """What has to be known about the norms of states, to be put behind "norm of the state"; "" if there is nothing."""
        return {"unit": ", which this model scales to 1", "layer": ", to which this model applies layer norm"}.get(
            self.normalised, ""
        )

    @property
    def is_finite(self) -> bool:
        """Whether all states and memories are finite numbers, as they are unless training diverged."""
        return all(np.isfinite(node.state).all() and np.isfinite(node.rows).all() for node in self.nodes)


def symbol_of(e: Expr) -> str:
    """Return the sign of the root of an expression."""
    return _SYMBOLS.get(e.token, e.token) if e.op is not None else e.token


def check_size(expr: Expr) -> None:
    """Raise a DataError if an expression is too large to be traced."""
    if expr.size > MOST_NODES:
        raise DataError(f"the expression has {expr.size:,} nodes; at most {MOST_NODES:,} can be traced: trace a part of it")


def _preorder(expr: Expr) -> list[tuple[TreePath, Expr]]:
    """Return the path and the expression of every occurrence in preorder, without the equality."""
    found: list[tuple[TreePath, Expr]] = []
    stack: list[tuple[TreePath, Expr]] = [((), expr)]
    while stack:
        path, e = stack.pop()
        if not e.is_equation:
            found.append((path, e))
        stack.extend(((*path, k), child) for k, child in reversed(list(enumerate(e.children))))
    return found


def _gates(values: Mapping[str, Array], i: int, arity: int) -> dict[str, Array]:
    """Return the gates of node i, without those that it does not have."""
    own = {name: rows[i] for name, rows in values.items() if name not in ("h", "memory")}
    if "f" in own:
        own["f"] = own["f"][:arity]
    return {name: gate for name, gate in own.items() if gate.size and not np.isnan(gate).all()}
