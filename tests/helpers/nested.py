"""Trees as nested tuples for the tests: ``(label, child, child, ...)``; a leaf is ``(label,)``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

Tree = tuple[Any, ...]


def words(tree: Tree) -> list[str]:
    """Return the labels in preorder."""
    return [tree[0], *(word for child in tree[1:] for word in words(child))]


def subtrees(tree: Tree) -> Iterator[Tree]:
    """Yield the sub-tree at every node, in preorder."""
    yield tree
    for child in tree[1:]:
        yield from subtrees(child)


def height(tree: Tree) -> int:
    return 1 + max(map(height, tree[1:])) if tree[1:] else 0


def chain(label: str, length: int, end: Tree) -> Tree:
    """Apply a function of one argument ``length`` times."""
    for _ in range(length):
        end = (label, end)
    return end


def trees_with(functions: Mapping[str, int], leaves: st.SearchStrategy[Any], max_leaves: int = 20) -> st.SearchStrategy[Any]:
    """Trees of functions with fixed arities."""

    def functions_of(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of([st.tuples(st.just(name), *[part] * arity) for name, arity in functions.items()])

    return st.recursive(leaves, functions_of, max_leaves=max_leaves)


def variadic_trees(names: str, leaves: st.SearchStrategy[Any], widest: int = 5, max_leaves: int = 20) -> st.SearchStrategy[Any]:
    """Trees of functions with any number of arguments."""

    def functions_of(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        parts = st.lists(part, min_size=1, max_size=widest)
        return st.builds(lambda name, found: (name, *found), st.sampled_from(names.split()), parts)

    return st.recursive(leaves, functions_of, max_leaves=max_leaves)
