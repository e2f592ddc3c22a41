"""The difference of a measure between two groups of runs, paired by seed: its size, its interval and its p-value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

from ..numbers import Spread


@dataclass(frozen=True)
class Difference:
    """The change of a measure from old to new."""

    old: Spread
    new: Spread

    @cached_property
    def by_seed(self) -> tuple[float, ...]:
        """The differences of runs with the same seed."""
        old, new = self.old.by_seed, self.new.by_seed
        return tuple(new[seed] - old[seed] for seed in sorted(old.keys() & new.keys()))

    @property
    def is_tested(self) -> bool:
        """Whether there are at least two pairs; a single one says nothing about chance."""
        return len(self.by_seed) > 1

    @property
    def mean(self) -> float:
        """The mean over pairs, to which the interval belongs; without a test the difference of both means."""
        return fmean(self.by_seed) if self.is_tested else self.new.mean - self.old.mean

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the mean by Student's t distribution, of this difference alone; None for a single pair."""
        from scipy.special import stdtrit

        if not self.is_tested:
            return None
        half = float(stdtrit(len(self.by_seed) - 1, 0.975)) * self._standard_error
        return self.mean - half, self.mean + half

    @property
    def p(self) -> float | None:
        """The p-value of Student's t test that the mean is 0, two-sided; None for a single pair.

        If all pairs have the same difference, the test is not defined; coarse measures on few equations give such ties, and
        no difference is claimed from them.
        """
        from scipy.special import stdtr

        if not self.is_tested:
            return None
        if self._standard_error <= 1e-12:
            return 1.0
        return float(2 * stdtr(len(self.by_seed) - 1, -abs(self.mean) / self._standard_error))

    @property
    def _standard_error(self) -> float:
        return stdev(self.by_seed) / math.sqrt(len(self.by_seed))
