"""NodeValues: the values of all sub-expressions of a corpus, and value codes that show which of them are equal.

This is the third definition of "equal" (the first is the numeric check of an equation, the second the equal classes of
fillers). It is fast and coarse, for the sub-expression loss and for substitution: every distinct node of a plan has values at a
few real points, and nodes that are defined at the same points and agree there to ten digits have the same value code. Equal
nodes with different domains get different codes; they do not count as different either, because :meth:`NodeValues.differ`
requires a point where both are defined and clearly differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import leaf, op
from treesmu.expr.numeric.rounding import constant_value
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.expr.numeric.value_hashes import value_hashes

from ..trees.plan import CorpusPlan

POINTS = SamplePoints(seed=20201119, count=12)
MIN_DEFINED = 4  # points at which a value must be defined
LARGE, SMALL = 1e9, 1e-9  # larger values count as undefined, smaller ones as 0: they are rounding errors
RELATIVE, ABSOLUTE = 1e-3, 1e-6  # the differences from which two values clearly differ


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """The values of the nodes of a plan, in its order."""

    code: NDArray[np.int64]  # (nodes,) value codes, the same for equal values; -1 if defined at too few points to know
    value: NDArray[np.float32]  # (nodes, points) NaN where undefined

    @classmethod
    def of(cls, plan: CorpusPlan) -> NodeValues:
        """Compute the values of all nodes of a plan and their value codes."""
        return cls.from_values(compute_values(plan))

    @classmethod
    def from_values(cls, values: NDArray[np.float64]) -> NodeValues:
        """Make value codes from values, (nodes, points)."""
        return cls(_codes(values), values.astype(np.float32))

    def differ(self, first: Any, second: Any) -> NDArray[np.bool_]:
        """Return whether two nodes with known codes clearly differ at a point where both are defined, (pairs,)."""
        a, b = self.value[first], self.value[second]
        with np.errstate(invalid="ignore"):
            far = np.abs(a - b) > RELATIVE * (np.abs(a) + np.abs(b)) + ABSOLUTE
        return np.asarray(far.any(axis=1) & (self.code[first] >= 0) & (self.code[second] >= 0))


def compute_values(plan: CorpusPlan, known: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None) -> NDArray[np.float64]:
    """Return the values of the nodes of a plan, (nodes, points), NaN where they are undefined.

    known: nodes whose values are known already, as (numbers, values); only the others are computed.
    """
    values = np.empty((len(plan.children), POINTS.count))
    is_new = np.ones(len(values), bool)
    if known is not None:
        values[known[0]] = known[1]
        is_new[known[0]] = False
    for i in np.flatnonzero(is_new[: len(plan.leaf_tokens)]).tolist():
        values[i] = leaf_values(plan.leaf_tokens[i], POINTS)
    with np.errstate(all="ignore"):
        for _, function, start, stop in plan.groups.tolist():
            nodes = start + np.flatnonzero(is_new[start:stop])
            below = plan.children[nodes, : plan.vocab.arities[function]]
            values[nodes] = function_values(plan.vocab.functions[function], *(values[child] for child in below.T))
    return values


def leaf_values(token: str, points: SamplePoints) -> NDArray[np.float64] | float:
    """Return the values of a variable at the points, (points,), or the value of a number or constant."""
    e = leaf(token)
    return points.of(token) if e.is_variable else constant_value(e)


def function_values(name: str, *arguments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values of a function from those of its arguments, NaN where it is undefined or too large."""
    computed: NDArray[np.float64] = op(name).compute(*arguments)
    size = np.abs(computed)
    computed[~(size < LARGE)] = np.nan
    computed[size < SMALL] = 0
    return computed


def _codes(value: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a number for each row of values, (nodes,), which is the same for rows that are equal after rounding."""
    hashes = value_hashes(value)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    code = np.empty(len(value), np.int64)
    code[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
    code[np.isfinite(value).sum(axis=1) < MIN_DEFINED] = -1
    return code
