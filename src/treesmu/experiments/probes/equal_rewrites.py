"""EqualRewrites: equations with sub-expressions replaced by others that have equal values.

Two sub-expressions are equal if they have the same value code (data/augment/node_values.py); replacements come from the
equations that are given. No replacement is higher, so that no equation becomes deeper, and labels stay right.
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

Changes = dict[int, int]  # replacement node by position; positions of an equation are in preorder
Rewritten = tuple[NDArray[np.int64], list[str]]  # rows of the equations, and the rewritten equations as prefix strings


class EqualRewrites:
    """Rewrites the equations of a plan. Nodes are those of the plan."""

    def __init__(self, plan: CorpusPlan, values: NodeValues) -> None:
        self.plan, self.values = plan, values
        self.substitution = Substitution(plan, values)
        self.height = np.zeros(len(plan.children), np.int64)
        for height, _, start, stop in plan.groups.tolist():
            self.height[start:stop] = height

    @classmethod
    def from_prefix(cls, texts: Any) -> EqualRewrites:
        """Create from equations given as prefix strings."""
        plan = CorpusPlan.from_prefix(texts, Vocab.default().extended(texts))
        return cls(plan, NodeValues.of(plan))

    # -- nodes -----------------------------------------------------------------------------------------------------------

    def simplest(self, node: int) -> int:
        """Return the first of the lowest nodes of equal value; the node itself if there is no lower one."""
        lowest = self.substitution.by_code[self.substitution.first[node]]
        return lowest if self.height[lowest] < self.height[node] else node

    def others(self, node: int) -> list[int]:
        """Return the other nodes of equal value that are not higher."""
        equal = self.substitution
        return [other for other in equal.by_code[equal.first[node] : equal.last[node]] if other != node]

    def text(self, node: int) -> str:
        """Return an expression as a prefix string."""
        return " ".join(self._tokens([node]))

    # -- equations -------------------------------------------------------------------------------------------------------

    def replace_one(self, seed: int) -> Rewritten:
        """Replace one sub-expression of each equation, drawn at random, by a random one of equal value."""
        rng = Random(seed)

        def changes(sides: list[int]) -> Changes:
            candidates = [(position, node) for position, node in enumerate(self._preorder(sides)) if self._has_others(node)]
            if not candidates:
                return {}
            position, node = rng.choice(candidates)
            return {position: rng.choice(self.others(node))}

        return self._rewrite(changes)

    def simplify_one(self, seed: int) -> Rewritten:
        """Replace one sub-expression within the sides of each equation, drawn at random, by the simplest of equal value."""
        rng = Random(seed)

        def changes(sides: list[int]) -> Changes:
            possible = list(self._simplifications(sides).items())
            return dict([rng.choice(possible)]) if possible else {}

        return self._rewrite(changes)

    def simplify_all(self) -> Rewritten:
        """Replace every sub-expression within the sides by the simplest of equal value.

        The order does not matter: a node keeps its value when nodes below it are simplified.
        """
        return self._rewrite(self._simplifications)

    def _rewrite(self, changes: Callable[[list[int]], Changes]) -> Rewritten:
        """Apply changes; leave out equations without any, and those that become a = a, which need no knowledge of a."""
        rows, texts = [], []
        for row, sides in enumerate(self.plan.roots.tolist()):
            if changes_here := changes(sides):
                left, right = self._sides(sides, changes_here)
                if left != right:
                    rows.append(row)
                    texts.append(" ".join([self.substitution.equality, *left, *right]))
        return np.array(rows, np.int64), texts

    # -- parts -----------------------------------------------------------------------------------------------------------

    def _has_others(self, node: int) -> bool:
        return bool(self.substitution.last[node] - self.substitution.first[node] > 1)

    def _preorder(self, sides: list[int]) -> list[int]:
        """Return the node at each position of an equation, without the equality."""
        found, stack = [], sides[::-1]
        while stack:
            found.append(stack.pop())
            stack.extend(reversed(self.substitution.children[found[-1]]))
        return found

    def _simplifications(self, sides: list[int]) -> Changes:
        """Return the simplest equal node for every position, other than the two sides, that has a simpler one."""
        left, *_ = sides
        nodes = self._preorder(sides)
        right_position = len(self._preorder([left]))
        inner = [(position, node) for position, node in enumerate(nodes) if position not in (0, right_position)]
        return {position: self.simplest(node) for position, node in inner if self.simplest(node) != node}

    def _sides(self, sides: list[int], changes: Changes) -> list[list[str]]:
        """Return the tokens of the two sides with changes applied; a change replaces all that is below its position."""
        found, position = [], 0
        for side in sides:
            tokens, stack = [], [side]
            while stack:
                node = stack.pop()
                if position in changes:
                    tokens += self._tokens([changes[position]])
                    position += len(self._preorder([node]))
                else:
                    tokens.append(self.substitution.tokens[node])
                    stack.extend(reversed(self.substitution.children[node]))
                    position += 1
            found.append(tokens)
        return found

    def _tokens(self, nodes: list[int]) -> list[str]:
        return [self.substitution.tokens[node] for node in self._preorder(nodes)]
