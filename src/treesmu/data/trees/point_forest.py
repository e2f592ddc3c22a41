"""PointForest: the trees of a forest at some points, at which variables are numbers.

A node with a variable in it is computed once for each point, any other node once: ``sin(x) + sqrt(2)`` at three points has
three nodes for ``x``, ``sin(x)`` and the sum, and one for ``sqrt(2)``. Models with ``points`` read equations in this way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .forest import Forest
from .intern import NO_CHILD, Longs


@dataclass(frozen=True, slots=True, eq=False)
class PointForest(Forest):
    """A forest whose variables are decimals, ``<number>``. Its roots are (trees, 2, points), or (trees, 1, points).

    ``nodes`` are the numbers of the plain forest's nodes in its plan, repeated for every point.
    """

    at: Longs  # (plain nodes, points) the node of this forest that is a node of the plain forest at a point

    @classmethod
    def of(cls, plain: Forest, values: NDArray[np.float64]) -> PointForest:
        """Make the trees of a plain forest at points. values: (leaves of the vocabulary, points), NaN for all but variables."""
        points = values.shape[1]
        depends = _depends_on_variable(plain, np.isfinite(values[:, 0]) if points else np.zeros(len(values), bool))
        copies = np.where(depends, points, 1)
        start = np.concatenate([[0], np.cumsum(copies)])
        at = start[:-1, None] + np.where(depends[:, None], np.arange(points), 0)  # (plain nodes, points)
        original = np.repeat(np.arange(plain.size), copies)
        point = np.arange(len(original)) - start[original]
        below = plain.children[original]  # (n, max_arity)
        groups = plain.groups.copy()
        groups[:, 2:] = start[groups[:, 2:]]
        leaves = slice(0, start[len(plain.leaf)])
        leaf, number = plain.leaf[original[leaves]], plain.number[original[leaves]]
        is_variable = depends[original[leaves]]
        number[is_variable] = values[leaf[is_variable], point[leaves][is_variable]]
        leaf[is_variable] = plain.vocab.number_id
        return cls(
            plain.vocab,
            nodes=plain.nodes[original],
            leaf=leaf,
            number=number,
            groups=groups,
            children=np.where(below < 0, NO_CHILD, at[below, point[:, None]]),
            roots=at[plain.roots],
            leaf_tokens=plain.leaf_tokens,
            at=at,
        )

    def unbatch(self) -> list[tuple[Any, ...]]:
        """Return the trees as nested tuples with numbers for variables: the first tree at every point, then the second, ..."""
        one_by_one = self.roots.swapaxes(1, 2).reshape(-1, self.roots.shape[1])
        return Forest.unbatch(replace(self, roots=one_by_one))

    def _tokens(self) -> list[str]:
        known = self.vocab.leaves
        values = zip(self.leaf.tolist(), self.number.tolist(), strict=True)
        return [known[leaf] if leaf < len(known) else repr(value) for leaf, value in values]


def _depends_on_variable(forest: Forest, is_variable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which nodes have a variable in them, (n,). is_variable: (leaves of the vocabulary,)."""
    found = np.zeros(forest.size, bool)
    found[: len(forest.leaf)] = np.append(is_variable, False)[forest.leaf]
    for _, start, stop in forest.levels.tolist():
        below = forest.children[start:stop]
        found[start:stop] = (found[below] & (below >= 0)).any(axis=1)
    return found
