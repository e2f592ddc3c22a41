"""Numbers of a report: a measure over seeds, and measures of several depths together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True)
class Spread:
    """A measure over seeds. Of a single seed there is no standard deviation, and none is made up."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def sd(self) -> float | None:
        """The sample standard deviation, as the paper has it."""
        return stdev(self.values) if len(self.values) > 1 else None

    @property
    def seeds(self) -> int:
        return len(self.values)


def spread(values: Iterable[float | None]) -> Spread | None:
    """Over the seeds that have this measure: precision has no meaning where nothing was called correct."""
    there = tuple(float(value) for value in values if value is not None)
    return Spread(there) if there else None


def is_clear(a: Spread, b: Spread) -> bool | None:
    """Do two means differ by Welch's test, two-sided at 5%? None where a single seed cannot say.

    Few seeds know their own deviation badly: with three and three, a difference must be 2.8 to 4.3 times its standard error.
    """
    from scipy.special import stdtrit

    if a.sd is None or b.sd is None:
        return None
    parts = [(one.sd**2 / one.seeds, one.seeds - 1) for one in (a, b) if one.sd]  # squared errors, degrees of freedom
    if not parts:
        return a.mean != b.mean
    squared = sum(part for part, _ in parts)
    freedom = squared**2 / sum(part**2 / degrees for part, degrees in parts)  # Welch-Satterthwaite
    return bool(abs(a.mean - b.mean) > stdtrit(freedom, 0.975) * math.sqrt(squared))


@dataclass(frozen=True)
class Counts:
    """How often a model was right about some equations; correct is the positive class."""

    equations: int
    correct: int
    called_correct: int
    true_positives: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.equations + other.equations,
            self.correct + other.correct,
            self.called_correct + other.called_correct,
            self.true_positives + other.true_positives,
        )

    @property
    def accuracy(self) -> float | None:
        true_negatives = self.equations - self.correct - self.called_correct + self.true_positives
        return _share(self.true_positives + true_negatives, self.equations)

    @property
    def chance(self) -> float | None:
        """The share of the larger class: as often is right who always says the same."""
        return _share(max(self.correct, self.equations - self.correct), self.equations)

    @property
    def precision(self) -> float | None:
        return _share(self.true_positives, self.called_correct)

    @property
    def recall(self) -> float | None:
        return _share(self.true_positives, self.correct)


def counts(measures: Mapping[str, Any]) -> Counts:
    """From the measures of a test.json: recall is a share of counted equations, so that its count comes back exactly."""
    true_positives = round((measures["recall"] or 0) * measures["correct"])
    return Counts(measures["equations"], measures["correct"], measures["called_correct"], true_positives)


def pooled(by_depth: Mapping[str, Mapping[str, Any]], low: int, high: int) -> Counts:
    """All equations of depth low to high together: a depth counts by its equations."""
    chosen = [counts(measures) for depth, measures in by_depth.items() if low <= int(depth) <= high]
    return sum(chosen, Counts(0, 0, 0, 0))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
