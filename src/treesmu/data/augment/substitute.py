"""Substitution: copies of equations in which sub-expressions are replaced by others of equal value.

A copy has the label of its equation, because the values of the sides do not change; so a training set of ten thousand
equations becomes one of a hundred thousand. Two sub-expressions are equal if they have the same value code (node_values.py).
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from ..trees.plan import CorpusPlan
from .node_values import NodeValues

SHARE = 0.3  # the fraction of nodes that are replaced


class Substitution:
    """Makes copies of the equations of a plan; replacements are sub-expressions of the same plan."""

    def __init__(self, plan: CorpusPlan, values: NodeValues) -> None:
        self.roots = plan.roots.tolist()
        self.tokens = [*plan.leaf_tokens]
        heights = np.zeros(len(plan.children), np.int64)
        for height, function, start, stop in plan.groups.tolist():
            self.tokens += [plan.vocab.functions[function]] * (stop - start)
            heights[start:stop] = height
        self.children = [[child for child in below if child >= 0] for below in plan.children.tolist()]
        self.equality = str(plan.vocab.equality)
        self._sort(values.code, heights)

    def _sort(self, code: NDArray[np.int64], height: NDArray[np.int64]) -> None:
        """Sort nodes by value code, then by height; the replacements of a node are ``by_code[first[node]:last[node]]``.

        A replacement is never higher than the node, so that no copy is deeper than its equation. A node without a value code
        only replaces itself.
        """
        order = np.lexsort((height, code))
        self.by_code = order.tolist()
        code_and_height = code * (height.max() + 1) + height  # as one number, in the same order
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        last = np.searchsorted(code_and_height[order], code_and_height, side="right")
        self.first = np.where(code < 0, place, np.searchsorted(code[order], code)).tolist()
        self.last = np.where(code < 0, place + 1, last).tolist()

    def copy(self, row: int, rng: Random) -> str:
        """Return an equation as a prefix string with some sub-expressions replaced, where there is a replacement."""
        tokens = [self.equality]
        stack = self.roots[row][::-1]
        while stack:
            node = stack.pop()
            if rng.random() < SHARE:
                node = self.by_code[rng.randrange(self.first[node], self.last[node])]
            tokens.append(self.tokens[node])
            stack.extend(reversed(self.children[node]))
        return " ".join(tokens)
