"""SamplePoints and JoinedPoints: random values of the variables, at which expressions are computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..ops import Array

# Ranges of the real line: around 0, between 0 and 1 (asech, logarithms), above 1 (acosh), ordinary ones, distant ones.
NEAR_RANGES = ((-1.0, 1.0), (0.0, 1.0), (1.0, 3.0), (-6.0, 6.0), (0.0, 8.0), (-40.0, 40.0))
FAR_RANGES = (*NEAR_RANGES[:3] * 3, *NEAR_RANGES[3:], (-3.0, -1.0), (0.0, 0.1), (0.0, 30.0), (-3000.0, 3000.0))


@dataclass(frozen=True)
class SamplePoints:
    """Random points. The values of a variable depend only on its name, the seed and the count, not on other expressions."""

    seed: int
    count: int
    ranges: tuple[tuple[float, float], ...] = NEAR_RANGES
    is_complex: bool = False
    is_mixed: bool = True  # in the second half of the points each variable has a range of its own: x > 1 while |y| < 1

    @lru_cache(maxsize=1024)  # noqa: B019 (a SamplePoints is a few numbers, and there are few of them)
    def of(self, name: str) -> Array:
        """Return the values of a variable at all points. (count,)"""
        rng = np.random.default_rng([self.seed, self.count, *name.encode()])
        if self.is_complex:  # away from the axes, where the branch cuts lie
            radius, angle = rng.uniform(0.2, 5.0, self.count), rng.uniform(-3.1, 3.1, self.count)
            return np.asarray(radius * np.exp(1j * angle))
        low, high = np.array(self.ranges).T
        which = np.arange(self.count) % len(self.ranges)  # all variables share the range of a point
        if self.is_mixed:
            independent = rng.integers(len(self.ranges), size=self.count)
            which = np.where(np.arange(self.count) < self.count // 2, which, independent)
        share = np.empty(self.count)  # the position within the range; evenly spread, so that no part of it is missed
        for r in range(len(self.ranges)):
            here = np.flatnonzero(which == r)
            share[here] = (rng.permutation(len(here)) + rng.uniform(size=len(here))) / max(1, len(here))
        values = np.round(low[which] + (high - low)[which] * share, 4)  # few digits, to be shown to a person
        return np.where(values == 0, 0.0437, values)  # 0 is a special point of too many functions


@dataclass(frozen=True)
class JoinedPoints:
    """The points of several, one after the other."""

    parts: tuple[SamplePoints | JoinedPoints, ...]

    def of(self, name: str) -> Array:
        """Return the values of a variable at all points."""
        return np.concatenate([part.of(name) for part in self.parts])
