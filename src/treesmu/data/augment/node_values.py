"""Values of every sub-expression of a corpus, computed once: which of them are equal, for the sub-expression loss.

Each distinct node of a plan is evaluated at a few real points, by height and function as the plan has them. Nodes whose values
agree to ten digits wherever they are defined, and are defined at the same points, are of one kind. This is coarser than
the check that labels equations (expr/value.py): equal nodes with different domains are missed. They are not taken for
different ones either, since that takes a point where both are defined and clearly differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import leaf, op
from treesmu.expr.numeric.rounding import constant_value
from treesmu.expr.numeric.sample_points import SamplePoints

from ..trees.plan import CorpusPlan

POINTS = SamplePoints(seed=20201119, count=12)
MIN_DEFINED = 4  # points at which a value must be defined
LARGE, SMALL = 1e9, 1e-9  # beyond is not trusted; below is 0 up to rounding
DIGITS = 2.0**34  # ten decimal ones: with seven coth(10) would be 1
CLEARLY, AT_LEAST = 1e-3, 1e-6  # a relative and an absolute difference


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """By node of the plan."""

    code: NDArray[np.int64]  # (nodes,) nodes of one kind have the same value; -1: defined at too few points to know
    value: NDArray[np.float32]  # (nodes, points) NaN where it is undefined

    @classmethod
    def of(cls, plan: CorpusPlan) -> NodeValues:
        return cls.from_values(compute_values(plan))

    @classmethod
    def from_values(cls, values: NDArray[np.float64]) -> NodeValues:
        """Make value codes of values, (nodes, points)."""
        return cls(_codes(values), values.astype(np.float32))

    def differ(self, first: Any, second: Any) -> NDArray[np.bool_]:
        """(pairs,) Whether two nodes of known kinds clearly differ at a point where both are defined."""
        a, b = self.value[first], self.value[second]
        with np.errstate(invalid="ignore"):
            far = np.abs(a - b) > CLEARLY * (np.abs(a) + np.abs(b)) + AT_LEAST
        return np.asarray(far.any(axis=1) & (self.code[first] >= 0) & (self.code[second] >= 0))


def compute_values(plan: CorpusPlan, known: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None) -> NDArray[np.float64]:
    """Return (nodes, points) the values of the nodes of a plan, NaN where they are undefined.

    known: nodes whose values are known already, as (numbers, values); only the others are computed.
    """
    values = np.empty((len(plan.children), POINTS.count))
    is_new = np.ones(len(values), bool)
    if known is not None:
        values[known[0]] = known[1]
        is_new[known[0]] = False
    for i in np.flatnonzero(is_new[: len(plan.leaf_tokens)]).tolist():
        e = leaf(plan.leaf_tokens[i])
        values[i] = POINTS.of(plan.leaf_tokens[i]) if e.is_variable else constant_value(e)
    with np.errstate(all="ignore"):
        for _, function, start, stop in plan.groups.tolist():
            name = plan.vocab.functions[function]
            nodes = start + np.flatnonzero(is_new[start:stop])
            below = plan.children[nodes, : plan.vocab.arities[function]]
            computed = op(name).compute(*(values[child] for child in below.T))
            computed[~(np.abs(computed) < LARGE)] = np.nan
            computed[np.abs(computed) < SMALL] = 0
            values[nodes] = computed
    return values


def _codes(value: NDArray[np.float64]) -> NDArray[np.int64]:
    """(nodes,) Equal rows, rounded, get the same number."""
    mixed = np.zeros(len(value), np.uint64)  # a hash of each row, a point at a time: a corpus may have millions of nodes
    defined = np.zeros(len(value), np.int64)
    for column in value.T:
        is_defined = ~np.isnan(column)
        mantissa, exponent = np.frexp(np.where(is_defined, column, 0))
        rounded = (
            np.ldexp(np.rint(mantissa * DIGITS), exponent) + 0.0
        )  # a number again: 0.9999... and 1.0000... are one, -0 is 0
        bits = np.where(is_defined, rounded, np.nan).view(np.uint64)
        mixed = (mixed ^ bits) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        defined += is_defined
    order = np.argsort(mixed, kind="stable")
    ordered = mixed[order]
    kind = np.empty(len(value), np.int64)
    kind[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
    kind[defined < MIN_DEFINED] = -1
    return kind
