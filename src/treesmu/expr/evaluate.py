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

from .ops import ADD, LOG, POW, Array, Op
from .tree import Expr

NOISE = 2.0**-46  # the largest relative disturbance; float64 rounds at 2**-53
_CONSTANTS = {"pi": pi, "e": euler}

# Ranges of the real line: around 0, between 0 and 1 (asech, logarithms), above 1 (acosh), the ordinary, the far.
NEAR_RANGES = ((-1.0, 1.0), (0.0, 1.0), (1.0, 3.0), (-6.0, 6.0), (0.0, 8.0), (-40.0, 40.0))
FAR_RANGES = (*NEAR_RANGES, (-3.0, -1.0), (0.0, 0.1), (0.0, 30.0), (-200.0, 200.0))


@dataclass(frozen=True)
class Points:
    """Where variables get their values. A variable's values depend on its name and the seed only, not on the batch."""

    seed: int
    count: int
    ranges: tuple[tuple[float, float], ...] = NEAR_RANGES
    is_complex: bool = False

    @lru_cache(maxsize=1024)  # noqa: B019 (a Points is a few numbers, and there are few of them)
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
    branching: Array  # (expressions,) some part has branches, as roots, logarithms and inverse functions have


def evaluate(roots: Sequence[Expr], points: Points) -> Values:
    """The values of the roots at the points; an undefined value (or one too large or too small for float64) is NaN."""
    run = _ComplexRun(points) if points.is_complex else _RealRun(points)
    with np.errstate(all="ignore"):
        return run.values(roots)


class _ComplexRun:
    """One bottom-up pass: the nodes of a depth and a function are one call of numpy."""

    copies = 1
    dtype: type = complex

    def __init__(self, points: Points) -> None:
        self.points = points

    def values(self, roots: Sequence[Expr]) -> Values:
        groups = _groups(roots)
        row = {e: i for i, e in enumerate(e for group in groups for e in group)}
        self.allocate(len(row))
        start = 0
        for group in groups:
            here = slice(start, start + len(group))
            function = group[0].op
            if function is None:
                self.fill_leaves(group, here)
            else:
                children = [np.array([row[e.children[k]] for e in group]) for k in range(function.arity)]
                self.fill(function, children, here)
            start = here.stop
        return self.result(np.array([row[e] for e in roots], int))

    def allocate(self, nodes: int) -> None:
        self.table: Array = np.empty((nodes, self.copies * self.points.count), self.dtype)

    def fill_leaves(self, leaves: list[Expr], here: slice) -> None:
        for i, e in enumerate(leaves, here.start):
            self.table[i] = np.tile(self.points.of(e.token), self.copies) if e.is_variable else _constant(e)

    def fill(self, function: Op, children: list[Array], here: slice) -> None:
        arguments = [self.table[c] for c in children]
        values = function.evaluate(*arguments)
        values += values * 0  # infinities become NaN: 1/inf must not come back as a finite 0
        self.observe(function, children, here, arguments, values)
        self.table[here] = values

    def observe(self, function: Op, children: list[Array], here: slice, arguments: list[Array], values: Array) -> None:
        """What else there is to note of these nodes."""

    def result(self, roots: Array) -> Values:
        none = np.empty((len(roots), 0))
        return Values(self.table[roots], none, none, none)


class _RealRun(_ComplexRun):
    """The same at real points, with the disturbed copy beside the plain one."""

    copies = 2
    dtype = float

    def allocate(self, nodes: int) -> None:
        super().allocate(nodes)
        self.noise = _noise(self.points.seed, self.points.count)
        self.numb = np.zeros((nodes, self.points.count), bool)
        self.exact = np.zeros(nodes, bool)
        self.branching = np.zeros(nodes, bool)
        self.mark = np.zeros(nodes, np.uint64)  # a hash of each expression; its noise comes from it, in every batch the same

    def fill_leaves(self, leaves: list[Expr], here: slice) -> None:
        super().fill_leaves(leaves, here)
        self.mark[here] = [_hash(e.token) for e in leaves]
        self.exact[here] = [e.number is not None and Fraction(_constant(e)) == e.number for e in leaves]
        as_given = self.exact[here] | [e.is_variable for e in leaves]  # pi and 1/3 are rounded, a point is what it is
        self.disturb(self.table[here], self.mark[here], as_given)

    def observe(self, function: Op, children: list[Array], here: slice, arguments: list[Array], values: Array) -> None:
        both = np.stack(children)
        mark = np.full(values.shape[0], _hash(function.name))
        for c in children:
            mark = (mark ^ self.mark[c]) * np.uint64(0x9E3779B97F4A7C15)
            mark ^= mark >> np.uint64(29)
        self.mark[here] = mark
        self.exact[here] = exact = self.exact[both].all(axis=0) & _is_short(function, arguments[0][:, 0], values[:, 0])
        self.branching[here] = self.has_branches(function, children) | self.branching[both].any(axis=0)
        self.disturb(values, mark, exact)
        n = self.points.count
        self.numb[here] = _is_numb(function, values[:, :n], [a[:, :n] for a in arguments]) | self.numb[both].any(axis=0)

    def has_branches(self, function: Op, children: list[Array]) -> Array | bool:
        """A power has none if its exponent is a whole number."""
        if function is POW:
            exponent = self.table[children[1], 0]
            return np.asarray(~self.exact[children[1]] | (exponent != np.rint(exponent)))
        return function.family in ("inverse", "inverse hyperbolic") or function is LOG

    def disturb(self, values: Array, mark: Array, exact: Array) -> None:
        """Disturb the second copy, but for exact constants: 1 + 1 has no error, and acosh(2 - 1) would not survive one."""
        rows = mark % np.uint64(len(self.noise) - 1) + np.uint64(1)
        values[:, self.points.count :] *= self.noise[np.where(exact, 0, rows.astype(np.intp))]

    def result(self, roots: Array) -> Values:
        n = self.points.count
        return Values(self.table[roots, :n], self.table[roots, n:], self.numb[roots], self.branching[roots])


def _groups(roots: Sequence[Expr]) -> list[list[Expr]]:
    """The distinct sub-expressions by depth and function, children first."""
    seen = set(roots)
    stack = list(seen)
    groups: dict[tuple[int, str], list[Expr]] = {}
    while stack:
        e = stack.pop()
        key = (e.depth, e.op.name if e.op else "")
        if key in groups:
            groups[key].append(e)
        else:
            groups[key] = [e]
        for c in e.children:
            if c not in seen:
                seen.add(c)
                stack.append(c)
    return [groups[key] for key in sorted(groups)]


@lru_cache(maxsize=8)
def _noise(seed: int, count: int, rows: int = 1024) -> Array:
    """Factors close to 1 to disturb results with, never so close that they would be rounded away; the first row is 1."""
    random = np.random.default_rng([seed, count, rows])
    factors = 1 + NOISE * np.copysign(random.uniform(0.5, 1.0, (rows, count)), random.uniform(-1, 1, (rows, count)))
    factors[0] = 1
    return np.asarray(factors)


def _constant(e: Expr) -> float:
    return float(e.number) if e.number is not None else _CONSTANTS.get(e.token, np.nan)


@lru_cache(maxsize=4096)
def _hash(token: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "little"))


def _is_short(function: Op, argument: Array, values: Array) -> Array:
    """Whether exact arguments give an exact value: few binary digits, from arithmetic or from cos(0), ln(1) and the like."""
    shifted = values * 2.0**20
    short = (np.abs(values) < 2.0**30) & (shifted == np.rint(shifted))
    return np.asarray(short if function.family == "arithmetic" else short & (np.abs(argument) <= 1))


def _is_numb(function: Op, values: Array, arguments: list[Array]) -> Array:
    """Whether a node is the same whatever its argument: tanh(30) is 1 and x + exp(-50) is x, as far as float64 can tell."""
    first = np.abs(arguments[0])
    numb = np.zeros(values.shape, bool)
    if function is ADD:
        second = np.abs(arguments[1])
        small = np.minimum(first, second)
        numb = (small < 1e-11 * np.maximum(first, second)) & (small > 0)
    elif function.arity == 1:
        far = np.nonzero((first > 8) | ((first < 1e-4) & (first > 0)))  # in between, every function feels a step of 2^-10
        moved = function.evaluate(arguments[0][far] * (1 + 2.0**-10))
        numb[far] = np.abs(moved - values[far]) <= 1e-9 * np.abs(values[far])
    return numb
