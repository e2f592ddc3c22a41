"""Equations written differently: sub-expressions replaced by others that are known to be equal.

What is equal is known from numeric values (data/values.py), among the sub-expressions of all equations given. Nothing higher
comes in, so no equation becomes deeper, and its label stays right.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data import CorpusPlan, Vocab
from ..data.substitute import Substitution
from ..data.values import NodeValues

Rewritten = tuple[NDArray[np.int64], list[str]]  # rows of equations, and what they became, as prefix strings


class Equals:
    """Equations of a plan; the nodes of ``substitution`` are its nodes."""

    def __init__(self, plan: CorpusPlan, values: NodeValues) -> None:
        self.plan, self.values = plan, values
        self.substitution = Substitution(plan, values)
        self.height = np.zeros(len(plan.children), np.int64)
        for height, _, start, stop in plan.groups.tolist():
            self.height[start:stop] = height

    @classmethod
    def of(cls, texts: Any) -> Equals:
        """texts: equations as prefix strings."""
        plan = CorpusPlan.from_prefix(texts, Vocab.default())
        return cls(plan, NodeValues.of(plan))

    # -- nodes -----------------------------------------------------------------------------------------------------------

    def simplest(self, node: int) -> int:
        """The lowest node of the same value, of several the first; itself where there is no lower one."""
        lowest = self.substitution.by_kind[self.substitution.first[node]]
        return lowest if self.height[lowest] < self.height[node] else node

    def others(self, node: int) -> list[int]:
        """Other nodes of the same value that are no higher."""
        known = self.substitution
        return [other for other in known.by_kind[known.first[node] : known.last[node]] if other != node]

    def text(self, node: int) -> str:
        """An expression as a prefix string."""
        return " ".join(self._words([node]))

    # -- equations -------------------------------------------------------------------------------------------------------

    def one_replaced(self, seed: int) -> Rewritten:
        """One sub-expression of each equation, drawn by chance among those that have equals, becomes one of these.

        Equations without any are left out.
        """
        rng = Random(seed)
        rows, texts = [], []
        for row, sides in enumerate(self.plan.roots.tolist()):
            places = [(place, node) for place, node in enumerate(self._preorder(sides)) if self._has_others(node)]
            if places:
                place, node = rng.choice(places)
                rows.append(row)
                texts.append(self._equation(sides, {place: rng.choice(self.others(node))}))
        return np.array(rows, np.int64), texts

    def one_worked_out(self, seed: int) -> Rewritten:
        """One sub-expression within the sides of each equation, drawn by chance, becomes its simplest equal."""
        rng = Random(seed)
        rows, texts = [], []
        for row, sides in enumerate(self.plan.roots.tolist()):
            places = [(place, node) for place, node in self._inner(sides) if self.simplest(node) != node]
            if places:
                place, node = rng.choice(places)
                rows.append(row)
                texts.append(self._equation(sides, {place: self.simplest(node)}))
        return np.array(rows, np.int64), texts

    def all_worked_out(self) -> Rewritten:
        """Every sub-expression within the sides becomes its simplest equal. Equations that stay as they are are left out.

        From the leaves up or from the sides down is the same: a node keeps its value when nodes below it are worked out.
        """
        rows, texts = [], []
        for row, sides in enumerate(self.plan.roots.tolist()):
            changes = {place: self.simplest(node) for place, node in self._inner(sides) if self.simplest(node) != node}
            if changes:
                rows.append(row)
                texts.append(self._equation(sides, changes))
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

    def _inner(self, sides: list[int]) -> list[tuple[int, int]]:
        """Places and nodes but for the two sides."""
        left, *_ = sides
        nodes = self._preorder(sides)
        right_place = len(self._preorder([left]))
        return [(place, node) for place, node in enumerate(nodes) if place not in (0, right_place)]

    def _equation(self, sides: list[int], changes: dict[int, int]) -> str:
        """Prefix string of an equation with other nodes at some places; what is below a changed place goes with it."""
        words, place = [self.substitution.equality], 0
        stack = sides[::-1]
        while stack:
            node = stack.pop()
            if place in changes:
                words += self._words([changes[place]])
                place += len(self._preorder([node]))
            else:
                words.append(self.substitution.words[node])
                stack.extend(reversed(self.substitution.children[node]))
                place += 1
        return " ".join(words)

    def _words(self, nodes: list[int]) -> list[str]:
        return [self.substitution.words[node] for node in self._preorder(nodes)]
