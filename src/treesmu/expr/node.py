"""Node: the structure of an expression, which is all that traversals and printers need.

:class:`~treesmu.expr.tree.Expr` is a Node that can also be changed and printed. The printers in
:mod:`treesmu.expr.notation` need only what is here, so Expr can import them without an import cycle.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from fractions import Fraction
from typing import Self, TypeVar

from .leaves import exact_value, leaf_kind
from .ops import EQUALITY, Op

TreePath = tuple[int, ...]  # child positions from the root down; () is the root itself

HAS_VARIABLE, HAS_BLANK, HAS_BRANCHES = 1, 2, 4  # flags of a node: what occurs in its sub-expression


class Node:
    """A leaf, or a function with its children; immutable."""

    __slots__ = ("__weakref__", "_flags", "children", "depth", "op", "size", "token")

    token: str
    op: Op | None  # None for a leaf
    children: tuple[Self, ...]
    depth: int  # 0 for a leaf, else 1 + the depth of the deepest child
    size: int  # number of nodes, counted as a tree
    _flags: int

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Expr cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Expr cannot be changed (tried to delete {name!r})")

    # -- properties ------------------------------------------------------------------------------------------------

    @property
    def is_constant(self) -> bool:
        """Whether it contains neither a variable nor a blank."""
        return not self._flags & (HAS_VARIABLE | HAS_BLANK)

    @property
    def has_blank(self) -> bool:
        return bool(self._flags & HAS_BLANK)

    @property
    def has_branches(self) -> bool:
        """Whether it contains a root, a logarithm, an inverse function, or a power whose exponent is not an integer leaf."""
        return bool(self._flags & HAS_BRANCHES)

    @property
    def is_leaf(self) -> bool:
        return self.op is None

    @property
    def is_variable(self) -> bool:
        return self.op is None and leaf_kind(self.token) == "variable"

    @property
    def is_equation(self) -> bool:
        return self.op is EQUALITY

    @property
    def is_decimal(self) -> bool:
        return self.op is None and "." in self.token

    @property
    def number(self) -> Fraction | None:
        """The exact value of a number leaf, None for anything else."""
        return exact_value(self.token) if self.op is None else None

    @property
    def left(self) -> Self:
        """The first child."""
        return self.children[0]

    @property
    def right(self) -> Self:
        """The second child."""
        return self.children[1]

    # -- traversals ------------------------------------------------------------------------------------------------

    def subexpressions(self) -> list[Self]:
        """Return every distinct sub-expression once, children before parents, the expression itself last."""
        return distinct([self])

    def preorder(self) -> Iterator[Self]:
        """Yield every node of the tree, parents first, left to right; repeated sub-expressions are repeated."""
        stack = [self]
        while stack:
            e = stack.pop()
            yield e
            stack.extend(reversed(e.children))

    def paths(self) -> Iterator[tuple[TreePath, Self]]:
        """Yield every node of the tree with its path, in preorder."""
        stack: list[tuple[TreePath, Self]] = [((), self)]
        while stack:
            path, e = stack.pop()
            yield path, e
            for i in range(len(e.children) - 1, -1, -1):  # faster than a generator
                stack.append(((*path, i), e.children[i]))

    def variables(self) -> list[Self]:
        """Return the variables in the order of their first occurrence."""
        seen: dict[Self, None] = {}
        stack = [self]
        while stack:
            e = stack.pop()
            if e._flags & HAS_VARIABLE and e not in seen:  # parts without variables are skipped
                seen[e] = None
                stack.extend(reversed(e.children))
        return [e for e in seen if e.op is None]

    def prefix(self) -> list[str]:
        """Return the tokens in prefix order: ``sin(x) + 1`` is ``["Add", "sin", "x", "1"]``."""
        return [e.token for e in self.preorder()]

    def at(self, path: TreePath) -> Self:
        """Return the sub-expression at a path."""
        e = self
        for depth, i in enumerate(path):
            if not 0 <= i < len(e.children):
                raise IndexError(f"no child {i} at {path[:depth]}: {e.token!r} has {len(e.children)}")
            e = e.children[i]
        return e


AnyNode = TypeVar("AnyNode", bound=Node)


def distinct(roots: Iterable[AnyNode]) -> list[AnyNode]:
    """Return every distinct sub-expression of the roots once, children before parents."""
    seen: set[AnyNode] = set()
    order: list[AnyNode] = []
    for root in roots:
        stack = [root]
        while stack:
            e = stack.pop()
            if e in seen:
                continue
            missing = [c for c in e.children if c not in seen]
            if missing:
                stack.append(e)
                stack.extend(reversed(missing))
            else:
                seen.add(e)
                order.append(e)
    return order


def missing_from(table: Container[AnyNode], e: AnyNode) -> Iterator[AnyNode]:
    """Yield the sub-expressions that a table lacks, children first. The caller must add each one before it takes the next."""
    stack = [e]
    while stack:
        here = stack[-1]
        below = [c for c in here.children if c not in table]
        if below:
            stack.extend(below)
            continue
        stack.pop()
        if here not in table:
            yield here
