"""FillerPool: all fillers of height 0 and 1, one of each value, and their combinations of height 2 as numbers only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ..numeric.equal_classes import enumerate_fillers
from ..numeric.sample_points import FAR_RANGES, SamplePoints
from ..numeric.value_hashes import value_hashes, without_rounding_errors
from ..numeric.values import ValueTable
from ..ops import ADD, MUL, Array, Op
from ..tree import Expr, node
from .paired_values import apply

# Mostly ordinary values, at which functions of functions neither overflow nor come close to their limits.
_ORDINARY = ((0.1, 1.0), (1.0, 2.0), (-1.0, 1.0), (0.5, 3.0), (-3.0, -1.0), (2.0, 6.0), (0.0, 0.5), (1.0, 1.5))
POINTS = SamplePoints(seed=18, count=96, ranges=(*_ORDINARY * 3, *FAR_RANGES[-6:]))
MOST_PARTS = 1500  # arguments of functions of height 2, the simplest first: 3 million fillers
_BLOCK = 1 << 17  # fillers that are computed together: a few MB
ITSELF = -1  # instead of the number of a function: a filler of the pool


class Rows(NamedTuple):
    """Fillers as numbers: a function of the pool (or ITSELF), and one or two of its fillers. (rows,) each"""

    function: Array
    first: Array
    second: Array

    def take(self, keep: Array | slice) -> Rows:
        return Rows(*(column[keep] for column in self))

    @classmethod
    def join(cls, parts: Sequence[Rows]) -> Rows:
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def __len__(self) -> int:
        return len(self.function)


@dataclass(frozen=True, eq=False)
class FillerPool:
    """Fillers of height 0 and 1 with their values, and the functions that make fillers of height 2 of them."""

    fillers: list[Expr]  # the simplest of each value
    values: Array  # (2, fillers, points)
    parts: int  # how many of them, the first ones, are arguments of the functions
    functions: tuple[Op, ...]

    def expression(self, function: int, first: int, second: int) -> Expr:
        """Return the expression of a row."""
        if function == ITSELF:
            return self.fillers[first]
        op = self.functions[function]
        return node(op, *(self.fillers[i] for i in (first, second)[: op.arity]))

    def size(self, rows: Rows) -> Array:
        """Return the number of nodes of each filler. (rows,)"""
        size = np.array([e.size for e in self.fillers])
        arity = np.array([*(f.arity for f in self.functions), 0])[rows.function]  # the last one is for ITSELF
        return size[rows.first] + (arity > 0) + np.where(arity == 2, size[rows.second], 0)

    def blocks(self, point: int) -> Iterator[tuple[Rows, Array]]:
        """Yield all fillers, some at a time, with their values at a point, (2, rows)."""
        everything = np.arange(len(self.fillers))
        yield self._rows(ITSELF, everything), self.values[:, :, point]
        parts, values = everything[: self.parts], self.values[:, : self.parts, point]
        for number, f in enumerate(self.functions if self.parts else ()):
            if f.arity == 1:
                yield self._rows(number, parts), apply(f, values)
                continue
            step = max(1, _BLOCK // self.parts)
            for start in range(0, self.parts, step):
                here = slice(start, start + step)
                others = slice(start if f in (ADD, MUL) else 0, None)  # for these, both orders of arguments are the same
                first, second = np.meshgrid(parts[here], parts[others], indexing="ij")
                combined = apply(f, values[:, here, None], values[:, None, others])
                yield self._rows(number, first.ravel(), second.ravel()), combined.reshape(2, -1)

    def values_of(self, rows: Rows, point: int) -> Array:
        """Return the values of some fillers at a point, (2, rows)."""
        known = self.values[:, :, point]
        found = known[:, rows.first]
        for number, f in enumerate(self.functions):
            here = np.flatnonzero(rows.function == number)
            if len(here):
                found[:, here] = apply(f, *(known[:, column[here]] for column in rows[1:][: f.arity]))
        return np.asarray(found)

    def has_value(self, rows: Rows, point: int) -> Array:
        """Return whether fillers may have a value, (rows,): false for constants that have none here, and so none anywhere."""
        arity = np.array([*(f.arity for f in self.functions), 1])[rows.function]  # the last one is for ITSELF
        is_constant = self.is_constant[rows.first] & ((arity == 1) | self.is_constant[rows.second])
        found = np.ones(len(rows), bool)
        constants = np.flatnonzero(is_constant)
        found[constants] = ~np.isnan(self.values_of(rows.take(constants), point)[0])
        return found

    @cached_property
    def is_constant(self) -> Array:
        """Whether each filler is constant, (fillers,)."""
        return np.array([e.is_constant for e in self.fillers], bool)

    def _rows(self, function: int, first: Array, second: Array | None = None) -> Rows:
        first = first.astype(np.int32)
        return Rows(np.full(len(first), function, np.int8), first, first if second is None else second.astype(np.int32))


@lru_cache(maxsize=8)  # of some MB each: the questions of a server have few different leaves
def make_pool(leaves: tuple[Expr, ...], numbers: tuple[Expr, ...], functions: tuple[Op, ...], height: int) -> FillerPool:
    """Return the pool of fillers up to a height of 0, 1 or 2.

    leaves: of fillers of any height; numbers: further ones, which are used in fillers of height 0 and 1 and directly below the
    functions of height 2.
    """
    low = list(leaves) if height == 0 else enumerate_fillers(leaves, functions)
    parts = list(dict.fromkeys([*leaves, *numbers, *low]))
    rest = [] if height == 0 else enumerate_fillers([*leaves, *numbers], functions)
    every = list(dict.fromkeys([*parts, *rest]))
    table = ValueTable(POINTS)
    values = table.values(every)
    hashes = value_hashes(without_rounding_errors(values))
    is_first = np.zeros(len(every), bool)
    is_first[np.unique(hashes, return_index=True)[1]] = True
    is_first &= ~np.isnan(values.plain - values.disturbed).all(axis=1)
    chosen = np.flatnonzero(is_first)
    return FillerPool(
        [every[i] for i in chosen.tolist()],
        np.stack([values.plain[chosen], values.disturbed[chosen]]),
        min(MOST_PARTS, int((chosen < len(parts)).sum())) if height == 2 else 0,
        functions,
    )
