"""More equations from those that are there: sub-expressions exchanged for others of equal value.

The label stays what it was, since the value of neither side changes; so a training set of some ten thousand equations becomes
one of some hundred thousand without a new identity. What is equal is known from the values of sub-expressions (values.py): two
of one kind agree at 12 points and are defined at the same ones.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from ..trees.plan import CorpusPlan
from .node_values import NodeValues

SHARE = 0.3  # of the nodes that are exchanged, where there is something to exchange them for


class Substitution:
    """Makes copies of a plan's equations. Those of equal value come from the same plan: nothing new is put in."""

    def __init__(self, plan: CorpusPlan, values: NodeValues) -> None:
        self.roots = plan.roots.tolist()
        self.words = [*plan.leaf_tokens]
        heights = np.zeros(len(plan.children), np.int64)
        for height, function, start, stop in plan.groups.tolist():
            self.words += [plan.vocab.functions[function]] * (stop - start)
            heights[start:stop] = height
        self.children = [[child for child in below if child >= 0] for below in plan.children.tolist()]
        self.equality = str(plan.vocab.equality)
        self._sort(values.code, heights)

    def _sort(self, kind: NDArray[np.int64], height: NDArray[np.int64]) -> None:
        """Nodes by kind, and within a kind by height: what may come in for a node is a stretch of these.

        Nothing higher comes in, so no copy is deeper than its equation. Where the kind is not known, only the node itself.
        """
        order = np.lexsort((height, kind))
        self.by_code = order.tolist()
        both = kind * (height.max() + 1) + height  # as one number, in the same order
        own = np.empty_like(order)
        own[order] = np.arange(len(order))
        self.first = np.where(kind < 0, own, np.searchsorted(kind[order], kind)).tolist()
        self.last = np.where(kind < 0, own + 1, np.searchsorted(both[order], both, side="right")).tolist()

    def copy(self, row: int, rng: Random) -> str:
        """The equation as a prefix string, with sub-expressions exchanged; itself, should there be nothing to exchange."""
        words = [self.equality]
        stack = self.roots[row][::-1]
        while stack:
            node = stack.pop()
            if rng.random() < SHARE:
                node = self.by_code[rng.randrange(self.first[node], self.last[node])]
            words.append(self.words[node])
            stack.extend(reversed(self.children[node]))
        return " ".join(words)
