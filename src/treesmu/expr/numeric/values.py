"""Compute the values of many expressions at many points: each distinct sub-expression once, vectorised over both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ops import Array
from ..tree import Expr
from .numbering import NumberedGroup, NumberedLevel, Numbering, enlarged, token_hash
from .rounding import are_exact, constant_value, is_exact, loses_digits, noise_factors, snap_to_edges
from .sample_points import SamplePoints


@dataclass(frozen=True)
class Values:
    """Values of some expressions at the points. All arrays are (expressions, points)."""

    plain: Array  # NaN where undefined
    disturbed: Array  # the same with the result of every function disturbed; empty for complex points
    has_lost_digits: Array  # some part no longer depends on its arguments, as tanh(30): float64 cannot tell what equals it


class ValueTable:
    """Computes values at some points and keeps them, so that expressions that share parts with earlier ones are fast."""

    def __init__(self, points: SamplePoints) -> None:
        self.points = points
        self._numbering = Numbering()
        self._rows = _Rows(points) if points.is_complex else _RealRows(points)

    def values(self, roots: Sequence[Expr]) -> Values:
        """Return the values of the roots; an undefined one (or one too large or too small for float64) is NaN."""
        levels = self._numbering.add(roots)
        self._rows.reserve(len(self._numbering))
        with np.errstate(all="ignore"):
            for level in levels:
                for group in level.groups:
                    self._rows.compute(group)
                self._rows.finish(level)
        return self._rows.select(self._numbering.of(roots))

    def clear(self) -> None:
        """Forget all expressions, but keep the allocated memory for new ones."""
        self._numbering.clear()


class _Rows:
    """One row for each distinct sub-expression, filled from the leaves up, with one call of numpy per depth and function."""

    copies = 1
    dtype: type = complex

    def __init__(self, points: SamplePoints) -> None:
        self.points = points
        self.table: Array = np.empty((0, self.copies * points.count), self.dtype)

    def reserve(self, rows: int) -> None:
        self.table = enlarged(self.table, rows)

    def compute(self, group: NumberedGroup) -> None:
        """Compute the values of leaves, or of a function from those of its arguments."""
        if group.function is None:
            for i, e in enumerate(group.members, group.here.start):
                self.table[i] = np.tile(self.points.of(e.token), self.copies) if e.is_variable else constant_value(e)
        else:
            self.table[group.here] = group.function.compute(*(self.table[c] for c in group.children))

    def finish(self, level: NumberedLevel) -> None:
        """Postprocess the values of one depth after all of them have been computed."""
        values = self.table[level.here]
        values += values * 0  # infinities become NaN: 1/inf must not come back as a finite 0

    def select(self, roots: Array) -> Values:
        none = np.empty((len(roots), 0))
        return Values(self.table[roots], none, none)


class _RealRows(_Rows):
    """Rows for real points: the left half of each row is computed plainly, the right half with disturbances."""

    copies = 2
    dtype = float

    def __init__(self, points: SamplePoints) -> None:
        super().__init__(points)
        self.noise = noise_factors(points.seed, points.count)
        self.has_lost_digits: Array = np.empty((0, points.count), bool)
        self.is_exact: Array = np.empty(0, bool)
        self.hash: Array = np.empty(0, np.uint64)  # of each expression; it selects the noise, the same in every batch

    def reserve(self, rows: int) -> None:
        super().reserve(rows)
        self.has_lost_digits, self.is_exact = enlarged(self.has_lost_digits, rows), enlarged(self.is_exact, rows)
        self.hash = enlarged(self.hash, rows)

    def compute(self, group: NumberedGroup) -> None:
        function, here = group.function, group.here
        if function is None:
            super().compute(group)
            self._describe_leaves(group)
            return
        n = self.points.count
        arguments = [self.table[c] for c in group.children]
        snap_to_edges(function, arguments[0][:, :n], arguments[0][:, n:])
        values = function.compute(*arguments)
        self.table[here] = values
        self.has_lost_digits[here] = loses_digits(function, [a[:, :n] for a in arguments], [a[:, n:] for a in arguments])
        self.hash[here] = token_hash(function.name)
        self.is_exact[here] = False
        if group.members[0].is_constant:
            exact = self.is_exact[np.stack(group.children)].all(axis=0)
            self.is_exact[here] = exact & are_exact(function, arguments[0][:, 0], values[:, 0])

    def _describe_leaves(self, group: NumberedGroup) -> None:
        here, leaves = group.here, group.members
        too_long = [len(e.token) > 15 and e.number is not None for e in leaves]  # more digits than float64 holds
        self.has_lost_digits[here] = np.array(too_long)[:, None]
        self.hash[here] = [token_hash(e.token) for e in leaves]
        self.is_exact[here] = [is_exact(e) for e in leaves]

    def finish(self, level: NumberedLevel) -> None:
        super().finish(level)
        here, pairs, n = level.here, level.pairs, self.points.count
        values, hashes, lost, exact = self.table[here], self.hash[here], self.has_lost_digits[here], self.is_exact[here]
        if len(level.first):
            hashes[:] = _mixed(hashes ^ self.hash[level.first])
            hashes[pairs] = _mixed(hashes[pairs] ^ self.hash[level.second])
            lost |= self.has_lost_digits[level.first]
            lost[pairs] |= self.has_lost_digits[level.second]
        else:  # pi and 1/3 are rounded, the value of a variable is not
            exact = exact | np.array([e.is_variable for g in level.groups for e in g.members])
        self._disturb(values, hashes, exact)
        size = np.abs(values[:, :n])
        is_pole = (size > 1e6) & (np.abs(values[:, :n] - values[:, n:]) > 0.01 * size)
        values[:, :n][is_pole] = np.nan  # the reciprocal of a rounding error is not a value: tan(pi/2)

    def _disturb(self, values: Array, hashes: Array, exact: Array) -> None:
        """Disturb the second copy, except for exact constants: 1 + 1 has no error, and acosh(2 - 1) would not survive one."""
        rows = hashes % np.uint64(len(self.noise) - 1) + np.uint64(1)
        values[:, self.points.count :] *= self.noise[np.where(exact, 0, rows.astype(np.intp))]

    def select(self, roots: Array) -> Values:
        n = self.points.count
        return Values(self.table[roots, :n], self.table[roots, n:], self.has_lost_digits[roots])


def _mixed(hashes: Array) -> Array:
    hashes = hashes * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(hashes ^ (hashes >> np.uint64(29)))
