"""Numbering: a row number for each distinct sub-expression, so that a NumPy array holds one row per sub-expression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ..ops import Array, Op
from ..tree import Expr


class NumberedGroup(NamedTuple):
    """New expressions of one depth and one function, all of them constant or none, with consecutive rows."""

    function: Op | None  # None: leaves
    members: list[Expr]
    here: slice  # their rows
    children: list[Array]  # for each argument the rows of the children. (members,)


class NumberedLevel(NamedTuple):
    """New expressions of one depth: consecutive groups, the functions of arity 1 first."""

    groups: list[NumberedGroup]
    here: slice  # their rows
    first: Array  # the rows of the first children. (nodes,)
    second: Array  # the rows of the second children of the nodes that have two, which are the last ones

    @property
    def pairs(self) -> slice:
        """The nodes of the level that have two children."""
        return slice(len(self.first) - len(self.second), None)


class Numbering:
    """A row number for each distinct sub-expression of the expressions that are added, children before parents."""

    def __init__(self) -> None:
        self._row: dict[Expr, int] = {}

    def __len__(self) -> int:
        return len(self._row)

    def clear(self) -> None:
        self._row.clear()

    def of(self, expressions: Sequence[Expr]) -> Array:
        """Return the rows of expressions that have been added. (expressions,)"""
        return np.array([self._row[e] for e in expressions], int)

    def add(self, roots: Sequence[Expr]) -> list[NumberedLevel]:
        """Number the sub-expressions that are new, and return them in levels that can be computed one after the other."""
        row = self._row
        found: dict[tuple[int, int, str, bool], list[Expr]] = {}
        seen = {e for e in roots if e not in row}
        stack = list(seen)
        while stack:
            e = stack.pop()
            key = (e.depth, len(e.children), e.token if e.children else "", e.is_constant)
            if key in found:
                found[key].append(e)
            else:
                found[key] = [e]
            for c in e.children:
                if c not in seen and c not in row:
                    seen.add(c)
                    stack.append(c)
        return [self._level([found[key] for key in keys]) for _, keys in groupby(sorted(found), key=lambda key: key[0])]

    def _level(self, parts: list[list[Expr]]) -> NumberedLevel:
        start = len(self._row)
        groups = [self._group(members) for members in parts]
        none = np.empty(0, int)
        first, second = (np.concatenate([none, *(g.children[k] for g in groups if len(g.children) > k)]) for k in (0, 1))
        return NumberedLevel(groups, slice(start, len(self._row)), first, second)

    def _group(self, members: list[Expr]) -> NumberedGroup:
        row = self._row
        start = len(row)
        for i, e in enumerate(members, start):
            row[e] = i
        function = members[0].op
        arity = function.arity if function else 0
        children = [np.array([row[e.children[k]] for e in members], int) for k in range(arity)]
        return NumberedGroup(function, members, slice(start, start + len(members)), children)


def enlarged(array: Array, rows: int) -> Array:
    """Return an array with at least this many rows: the same one, or a copy that is at least twice as long."""
    if rows <= len(array):
        return array
    larger = np.empty((max(rows, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@lru_cache(maxsize=4096)
def token_hash(token: str) -> np.uint64:
    """Return a hash of a token that is the same in every process."""
    return np.uint64(int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "little"))
