"""Numbers of a report: measures over seeds, counts pooled over depths, and power laws of errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

NO_SPREAD = 1e-12  # of the largest number: with less, all numbers are the same but for rounding
FEWEST_SIZES = 3  # of a power law: one through two points always fits


@dataclass(frozen=True)
class Spread:
    """A measure over seeds. A single seed has no standard deviation. numbers: the seeds; if empty, the places of the values."""

    values: tuple[float, ...]
    numbers: tuple[int, ...] = field(default=(), compare=False)

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

    @property
    def by_seed(self) -> dict[int, float]:
        """The measure by the number of the seed."""
        return dict(zip(self.numbers or range(self.seeds), self.values, strict=True))


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return the spread over the values that are defined, or None if there are none."""
    defined = tuple(float(value) for value in values if value is not None)
    return Spread(defined) if defined else None


def spread_by_seed(values: Iterable[tuple[int, float | None]]) -> Spread | None:
    """Return the spread over the seeds for which the measure is defined, or None if there are none."""
    defined = [(seed, float(value)) for seed, value in values if value is not None]
    return Spread(tuple(value for _, value in defined), tuple(seed for seed, _ in defined)) if defined else None


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


def pool_r2(by_depth: Mapping[str, Mapping[str, Any]], low: int, high: int) -> float | None:
    """Return R² over all trees of depth low to high, from the measures of a test.json; None if all labels are the same."""
    some = [measures for depth, measures in by_depth.items() if low <= int(depth) <= high and measures["trees"]]
    trees = sum(one["trees"] for one in some)
    if not trees:
        return None
    mean = sum(one["trees"] * one["label_mean"] for one in some) / trees
    variance = sum(one["trees"] * (one["label_sd"] ** 2 + (one["label_mean"] - mean) ** 2) for one in some) / trees
    if math.sqrt(variance) <= NO_SPREAD * max(abs(one["label_mean"]) + one["label_sd"] for one in some):
        return None
    return float(1 - sum(one["trees"] * one["rmse"] ** 2 for one in some) / trees / variance)


def _counts(measures: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Return the fields of Counts. Recall is a ratio of counts, so rounding gives the number of true positives exactly.

    For trees of several classes every tree counts as correct, and those that are predicted right as called so: the accuracy is
    right, precision and recall have no meaning.
    """
    if "trees" in measures:
        answers = int(measures.get("nodes", measures["trees"]))  # tags are those of nodes
        right = round((measures["accuracy"] or 0) * answers)
        return answers, answers, right, right
    true_positives = round((measures["recall"] or 0) * measures["correct"])
    return measures["equations"], measures["correct"], measures["called_correct"], true_positives


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True)
class PowerLaw:
    """error = scale · size^(-exponent). fit: R², the share of the variance of log(error) that the law explains."""

    scale: float
    exponent: float
    fit: float

    def error(self, size: float) -> float:
        """Return the error that the law says for a size."""
        return float(self.scale * size**-self.exponent)

    @property
    def tenfold(self) -> float:
        """The relative change of the error if the size is ten times as large: -0.2 for a fifth less."""
        return float(10**-self.exponent - 1)


def fit_power_law(errors: dict[float, float]) -> PowerLaw | None:
    """Return the law with the least squares of log(error). errors: by size; None for too few sizes or an error of 0."""
    if len(errors) < FEWEST_SIZES or min(errors.values()) <= 0:
        return None
    x, y = [math.log(size) for size in errors], [math.log(error) for error in errors.values()]
    mean_x, mean_y = fmean(x), fmean(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
    start = mean_y - slope * mean_x
    total = sum((b - mean_y) ** 2 for b in y)
    left = sum((b - start - slope * a) ** 2 for a, b in zip(x, y, strict=True))
    return PowerLaw(math.exp(start), -slope, 1 - left / total if total else 1.0)
