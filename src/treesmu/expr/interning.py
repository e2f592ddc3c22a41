"""The table of all expressions: one object for each distinct one, held by a weak reference, so that unused ones are freed."""

from __future__ import annotations

from typing import Any, TypeVar
from weakref import ref

Key = tuple[object, ...]  # (function, *children), or (token,) for a leaf
T = TypeVar("T")


class Reference(ref[Any]):  # Any: an Expr, whose module imports this one
    """A weak reference to a node that knows its key in the table."""

    __slots__ = ("key",)

    key: Key


NODES: dict[Key, Reference] = {}


def intern(key: Key, e: T) -> T:
    """Add a new node to the table and return it; if another thread was faster, return that thread's node."""
    reference = Reference(e, _remove)
    reference.key = key
    while (first := NODES.setdefault(key, reference)) is not reference:
        found: T | None = first()
        if found is not None:
            return found
        _remove(first)
    return e


def _remove(reference: Any) -> None:
    """Remove the entry of a freed node, unless the key belongs to a new node by now."""
    key = reference.key
    if NODES.get(key) is reference:
        del NODES[key]
