"""Equations written differently: sub-expressions replaced by others that are known to be equal.

What is equal is known from numeric values (data/values.py), among the sub-expressions of all equations given. Nothing higher
comes in, so no equation becomes deeper, and its label stays right.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data import CorpusPlan, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.substitute import Substitution

Changes = dict[int, int]  # places of an equation, in preorder, and the nodes that come there
Rewritten = tuple[NDArray[np.int64], list[str]]  # rows of equations, and what they became, as prefix strings


class EqualRewrites:
    """Equations of a plan; the nodes of ``substitution`` are its nodes."""

    def __init__(self, plan: CorpusPlan, values: NodeValues) -> None:
        self.plan, self.values = plan, values
        self.substitution = Substitution(plan, values)
        self.height = np.zeros(len(plan.children), np.int64)
        for height, _, start, stop in plan.groups.tolist():
            self.height[start:stop] = height

    @classmethod
    def of(cls, texts: Any) -> EqualRewrites:
        """texts: equations as prefix strings."""
        plan = CorpusPlan.from_prefix(texts, Vocab.default())
        return cls(plan, NodeValues.of(plan))

    # -- nodes -----------------------------------------------------------------------------------------------------------

    def simplest(self, node: int) -> int:
        """The lowest node of the same value, of several the first; itself where there is no lower one."""
        lowest = self.substitution.by_code[self.substitution.first[node]]
        return lowest if self.height[lowest] < self.height[node] else node

    def others(self, node: int) -> list[int]:
        """Other nodes of the same value that are no higher."""
        known = self.substitution
        return [other for other in known.by_code[known.first[node] : known.last[node]] if other != node]

    def text(self, node: int) -> str:
        """An expression as a prefix string."""
        return " ".join(self._words([node]))

    # -- equations -------------------------------------------------------------------------------------------------------

    def replace_one(self, seed: int) -> Rewritten:
        """One sub-expression of each equation, drawn by chance among those that have equals, becomes one of these."""
        rng = Random(seed)

        def changes(sides: list[int]) -> Changes:
            places = [(place, node) for place, node in enumerate(self._preorder(sides)) if self._has_others(node)]
            if not places:
                return {}
            place, node = rng.choice(places)
            return {place: rng.choice(self.others(node))}

        return self._rewritten(changes)

    def simplify_one(self, seed: int) -> Rewritten:
        """One sub-expression within the sides of each equation, drawn by chance, becomes its simplest equal."""
        rng = Random(seed)

        def changes(sides: list[int]) -> Changes:
            possible = list(self._workable(sides).items())
            return dict([rng.choice(possible)]) if possible else {}

        return self._rewritten(changes)

    def simplify_all(self) -> Rewritten:
        """Every sub-expression within the sides becomes its simplest equal.

        From the leaves up or from the sides down is the same: a node keeps its value when nodes below it are worked out.
        """
        return self._rewritten(self._workable)

    def _rewritten(self, changes: Callable[[list[int]], Changes]) -> Rewritten:
        """Equations that stay as they are are left out, and those that become a = a: who answers them knows nothing of a."""
        rows, texts = [], []
        for row, sides in enumerate(self.plan.roots.tolist()):
            if own := changes(sides):
                left, right = self._sides(sides, own)
                if left != right:
                    rows.append(row)
                    texts.append(" ".join([self.substitution.equality, *left, *right]))
        return np.array(rows, np.int64), texts

    # -- parts -----------------------------------------------------------------------------------------------------------

    def _has_others(self, node: int) -> bool:
        return bool(self.substitution.last[node] - self.substitution.first[node] > 1)

    def _preorder(self, sides: list[int]) -> list[int]:
        """The nodes of an equation's places, without the =."""
        found, stack = [], sides[::-1]
        while stack:
            found.append(stack.pop())
            stack.extend(reversed(self.substitution.children[found[-1]]))
        return found

    def _workable(self, sides: list[int]) -> Changes:
        """Every place but the two sides whose node has a simpler equal, with that."""
        left, *_ = sides
        nodes = self._preorder(sides)
        right_place = len(self._preorder([left]))
        inner = [(place, node) for place, node in enumerate(nodes) if place not in (0, right_place)]
        return {place: self.simplest(node) for place, node in inner if self.simplest(node) != node}

    def _sides(self, sides: list[int], changes: Changes) -> list[list[str]]:
        """The words of the two sides, with other nodes at some places; what is below a changed place goes with it."""
        found, place = [], 0
        for side in sides:
            words, stack = [], [side]
            while stack:
                node = stack.pop()
                if place in changes:
                    words += self._words([changes[place]])
                    place += len(self._preorder([node]))
                else:
                    words.append(self.substitution.words[node])
                    stack.extend(reversed(self.substitution.children[node]))
                    place += 1
            found.append(words)
        return found

    def _words(self, nodes: list[int]) -> list[str]:
        return [self.substitution.words[node] for node in self._preorder(nodes)]
