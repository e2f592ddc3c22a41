"""Values of many expressions at many points: each distinct sub-expression once, vectorised over nodes and points.

Float64 does not say how far it can be trusted, so every point is computed twice: once plainly, and once with each
result disturbed by a random relative amount a hundred times larger than rounding. How far the two copies drift apart
is an estimate of the error that rounding may have caused, whatever the functions in between (stochastic arithmetic).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from math import e as euler
from math import pi

import numpy as np

from ..ops import ADD, MUL, POW, Array, Op
from ..tree import Expr
from .numbering import NumberedGroup, NumberedLevel, Numbering, enlarged

NOISE = 2.0**-46  # the largest relative disturbance; float64 rounds at 2**-53
_CONSTANTS = {"pi": pi, "e": euler}

# Ranges of the real line: around 0, between 0 and 1 (asech, logarithms), above 1 (acosh), the ordinary, the far.
NEAR_RANGES = ((-1.0, 1.0), (0.0, 1.0), (1.0, 3.0), (-6.0, 6.0), (0.0, 8.0), (-40.0, 40.0))
FAR_RANGES = (*NEAR_RANGES[:3] * 3, *NEAR_RANGES[3:], (-3.0, -1.0), (0.0, 0.1), (0.0, 30.0), (-3000.0, 3000.0))


@dataclass(frozen=True)
class SamplePoints:
    """Where variables get their values. A variable's values depend on its name and the seed only, not on the batch."""

    seed: int
    count: int
    ranges: tuple[tuple[float, float], ...] = NEAR_RANGES
    is_complex: bool = False

    @lru_cache(maxsize=1024)  # noqa: B019 (a SamplePoints is a few numbers, and there are few of them)
    def of(self, name: str) -> Array:
        """The values of a variable. (count,)"""
        random = np.random.default_rng([self.seed, self.count, *name.encode()])
        if self.is_complex:  # off the axes, where the branch cuts lie
            radius, angle = random.uniform(0.2, 5.0, self.count), random.uniform(-3.1, 3.1, self.count)
            return np.asarray(radius * np.exp(1j * angle))
        low, high = np.array(self.ranges).T
        # In the first half all variables share a range; in the second each has its own: x > 1 while |y| < 1.
        own = random.integers(len(self.ranges), size=self.count)
        which = np.where(np.arange(self.count) < self.count // 2, np.arange(self.count) % len(self.ranges), own)
        share = np.empty(self.count)  # of the way through the range; evenly spread, so that no part of it is missed
        for r in range(len(self.ranges)):
            mine = np.flatnonzero(which == r)
            share[mine] = (random.permutation(len(mine)) + random.uniform(size=len(mine))) / max(1, len(mine))
        values = np.round(low[which] + (high - low)[which] * share, 4)  # short enough to be shown to a person
        return np.where(values == 0, 0.0437, values)  # 0 is a special point of too many functions


@dataclass(frozen=True)
class Values:
    """Values of some expressions at the points. Arrays are (expressions, points) where nothing else is said."""

    plain: Array  # NaN where undefined
    disturbed: Array  # the same with every step disturbed; empty for complex points
    numb: Array  # some part no longer feels its arguments, as tanh(30): float64 cannot tell what equals it


class ValueTable:
    """Values at some points. It remembers what it has computed: what shares parts with earlier expressions costs little."""

    def __init__(self, points: SamplePoints) -> None:
        self.rows = Numbering()
        self.table = _Table(points) if points.is_complex else _RealTable(points)

    def values(self, roots: Sequence[Expr]) -> Values:
        """The values of the roots; an undefined one (or one too large or too small for float64) is NaN."""
        levels = self.rows.add(roots)
        self.table.reserve(len(self.rows))
        with np.errstate(all="ignore"):
            for level in levels:
                for group in level.groups:
                    self.table.fill(group)
                self.table.finish(level)
        return self.table.values(self.rows.of(roots))

    def forget(self) -> None:
        """Begin anew, in the same memory."""
        self.rows.clear()


class _Table:
    """A row for each distinct sub-expression, filled from the leaves up: a depth and a function are one call of numpy."""

    copies = 1
    dtype: type = complex

    def __init__(self, points: SamplePoints) -> None:
        self.points = points
        self.table: Array = np.empty((0, self.copies * points.count), self.dtype)

    def reserve(self, rows: int) -> None:
        self.table = enlarged(self.table, rows)

    def fill(self, group: NumberedGroup) -> None:
        """The values of a function at its arguments."""
        if group.function is None:
            for i, e in enumerate(group.members, group.here.start):
                self.table[i] = np.tile(self.points.of(e.token), self.copies) if e.is_variable else constant_value(e)
        else:
            self.table[group.here] = group.function.compute(*(self.table[c] for c in group.children))

    def finish(self, level: NumberedLevel) -> None:
        """What is to be done to all values of a depth."""
        values = self.table[level.here]
        values += values * 0  # infinities become NaN: 1/inf must not come back as a finite 0

    def values(self, roots: Array) -> Values:
        none = np.empty((len(roots), 0))
        return Values(self.table[roots], none, none)


class _RealTable(_Table):
    """The same at real points, with the disturbed copy beside the plain one."""

    copies = 2
    dtype = float

    def __init__(self, points: SamplePoints) -> None:
        super().__init__(points)
        self.noise = _noise(points.seed, points.count)
        self.numb: Array = np.empty((0, points.count), bool)
        self.exact: Array = np.empty(0, bool)
        self.mark: Array = np.empty(0, np.uint64)  # a hash of each expression; its noise comes from it, in every batch the same

    def reserve(self, rows: int) -> None:
        super().reserve(rows)
        self.numb, self.exact = enlarged(self.numb, rows), enlarged(self.exact, rows)
        self.mark = enlarged(self.mark, rows)

    def fill(self, group: NumberedGroup) -> None:
        function, here = group.function, group.here
        if function is None:
            super().fill(group)
            self.note_leaves(group)
            return
        n = self.points.count
        arguments = [self.table[c] for c in group.children]
        _snap(function, arguments[0][:, :n], arguments[0][:, n:])
        values = function.compute(*arguments)
        self.table[here] = values
        self.numb[here] = _is_numb(function, [a[:, :n] for a in arguments], [a[:, n:] for a in arguments])
        self.mark[here] = _hash(function.name)
        self.exact[here] = False
        if group.members[0].is_constant:
            exact = self.exact[np.stack(group.children)].all(axis=0)
            self.exact[here] = exact & _is_short(function, arguments[0][:, 0], values[:, 0])

    def note_leaves(self, group: NumberedGroup) -> None:
        here, leaves = group.here, group.members
        too_long = [len(e.token) > 15 and e.number is not None for e in leaves]  # more digits than float64 holds
        self.numb[here] = np.array(too_long)[:, None]
        self.mark[here] = [_hash(e.token) for e in leaves]
        self.exact[here] = [_is_exact(e) for e in leaves]

    def finish(self, level: NumberedLevel) -> None:
        super().finish(level)
        here, pairs, n = level.here, level.pairs, self.points.count
        values, mark, numb, exact = self.table[here], self.mark[here], self.numb[here], self.exact[here]
        if len(level.first):
            mark[:] = _mixed(mark ^ self.mark[level.first])
            mark[pairs] = _mixed(mark[pairs] ^ self.mark[level.second])
            numb |= self.numb[level.first]
            numb[pairs] |= self.numb[level.second]
        else:  # pi and 1/3 are rounded, a point is what it is
            exact = exact | np.array([e.is_variable for g in level.groups for e in g.members])
        self.disturb(values, mark, exact)
        size = np.abs(values[:, :n])
        pole = (size > 1e6) & (np.abs(values[:, :n] - values[:, n:]) > 0.01 * size)
        values[:, :n][pole] = np.nan  # the reciprocal of rounding, and no value: tan(pi/2)

    def disturb(self, values: Array, mark: Array, exact: Array) -> None:
        """Disturb the second copy, but for exact constants: 1 + 1 has no error, and acosh(2 - 1) would not survive one."""
        rows = mark % np.uint64(len(self.noise) - 1) + np.uint64(1)
        values[:, self.points.count :] *= self.noise[np.where(exact, 0, rows.astype(np.intp))]

    def values(self, roots: Array) -> Values:
        n = self.points.count
        return Values(self.table[roots, :n], self.table[roots, n:], self.numb[roots])


def _snap(function: Op, plain: Array, disturbed: Array) -> None:
    """An argument that is at the edge of the domain up to rounding is at the edge: sqrt(sin(pi)), ln(x - x)."""
    if function.edges:
        error = np.abs(plain - disturbed)
        for edge in function.edges:
            there = (np.abs(plain - edge) <= 8 * error) & (error < 1e-9)
            plain[there] = disturbed[there] = edge


def _mixed(mark: Array) -> Array:
    mark = mark * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(mark ^ (mark >> np.uint64(29)))


@lru_cache(maxsize=8)
def _noise(seed: int, count: int, rows: int = 1024) -> Array:
    """Factors close to 1 to disturb results with, never so close that they would be rounded away; the first row is 1."""
    random = np.random.default_rng([seed, count, rows])
    factors = 1 + NOISE * np.copysign(random.uniform(0.5, 1.0, (rows, count)), random.uniform(-1, 1, (rows, count)))
    factors[0] = 1
    return np.asarray(factors)


def constant_value(e: Expr) -> float:
    """The value of a number or constant, NaN for what has none in float64."""
    try:
        return float(e.number) if e.number is not None else _CONSTANTS.get(e.token, np.nan)
    except OverflowError:
        return np.nan


def _is_exact(e: Expr) -> bool:
    value = constant_value(e)
    return bool(np.isfinite(value)) and Fraction(value) == e.number


@lru_cache(maxsize=4096)
def _hash(token: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "little"))


def _is_short(function: Op, argument: Array, values: Array) -> Array:
    """Whether exact arguments give an exact value: few binary digits, from arithmetic or from cos(0), ln(1) and the like."""
    shifted = values * 2.0**20
    short = (np.abs(values) < 2.0**30) & (shifted == np.rint(shifted))
    return np.asarray(short if function.family == "arithmetic" else short & (np.abs(argument) <= 1))


def _is_numb(function: Op, arguments: list[Array], disturbed: list[Array]) -> Array | bool:
    """Where float64 no longer sees what sets a function apart: tanh(30) is 1, x + exp(-50) is x, sin(1e-9) is 1e-9.

    What is 0 up to its error is not small but 0: in x + sin(pi) nothing is lost.
    """
    first = np.abs(arguments[0])
    if function is MUL:
        return False
    if function is ADD:
        second = np.abs(arguments[1])
        numb = np.minimum(first, second) < 1e-11 * np.maximum(first, second)
        small: list[Array] = [first <= second, second < first]  # for each argument, where it is the one that may be lost
    elif function is POW:
        numb = (np.abs(arguments[1] * np.log(first)) < 1e-6) & (first != 1)
        small = [np.asarray(False), np.asarray(True)]
    else:
        far = 12 if function.saturates else np.inf if function.name == "exp" else 1e5
        numb = (first > far) | (first < 1e-6)
        small = [first < 1e-6]
    if numb.any():
        for value, other, counts in zip(arguments, disturbed, small, strict=False):
            numb &= ~(counts & (np.abs(value) <= 8 * np.abs(value - other)))
    return np.asarray(numb)
