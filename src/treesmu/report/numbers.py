"""Numbers of a report: measures over seeds, and counts pooled over depths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any


@dataclass(frozen=True)
class Spread:
    """A measure over seeds. A single seed has no standard deviation."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def sd(self) -> float | None:
        """The sample standard deviation, as in the paper."""
        return stdev(self.values) if len(self.values) > 1 else None

    @property
    def seeds(self) -> int:
        return len(self.values)


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return the spread over the seeds for which the measure is defined, or None if there are none."""
    defined = tuple(float(value) for value in values if value is not None)
    return Spread(defined) if defined else None


def is_significant(a: Spread, b: Spread) -> bool | None:
    """Return whether two means differ by Welch's test, two-sided at 5%; None if one of them has a single seed.

    With three seeds each, a significant difference is at least 2.8 to 4.3 times its standard error.
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
    """Counts of a model's predictions for some equations; correct is the positive class."""

    equations: int
    correct: int
    called_correct: int
    true_positives: int

    @property
    def accuracy(self) -> float | None:
        true_negatives = self.equations - self.correct - self.called_correct + self.true_positives
        return _share(self.true_positives + true_negatives, self.equations)

    @property
    def base_rate(self) -> float | None:
        """The share of the larger class: the accuracy of a constant prediction."""
        return _share(max(self.correct, self.equations - self.correct), self.equations)

    @property
    def precision(self) -> float | None:
        return _share(self.true_positives, self.called_correct)

    @property
    def recall(self) -> float | None:
        return _share(self.true_positives, self.correct)


def pool(by_depth: Mapping[str, Mapping[str, Any]], low: int, high: int) -> Counts:
    """Return the counts over all equations of depth low to high, from the measures of a test.json."""
    rows = [_counts(measures) for depth, measures in by_depth.items() if low <= int(depth) <= high]
    return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts(0, 0, 0, 0)


def _counts(measures: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Return the fields of Counts. Recall is a ratio of counts, so rounding gives the number of true positives exactly."""
    true_positives = round((measures["recall"] or 0) * measures["correct"])
    return measures["equations"], measures["correct"], measures["called_correct"], true_positives


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
