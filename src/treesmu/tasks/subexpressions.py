"""The sub-expression loss: the head is trained to tell pairs of nodes of equal value from pairs of different value.

Pairs of equal value: consecutive nodes when those of the batch are sorted by value code, in random order within a code.
Pairs of different value: neighbours in the forest, which are mostly of the same height and function, hence similar.
The pairs come from numeric values, which the paper's recipe does not have: always report this loss as a setting.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import Forest
from treesmu.data.augment.node_values import NodeValues


class Pairs(NamedTuple):
    """Pairs of nodes of a forest."""

    first: NDArray[np.int64]  # (pairs,) places in the forest
    second: NDArray[np.int64]
    label: NDArray[np.float32]  # 1: equal values, 0: different values

    def part(self, here: slice) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.first[here], self.second[here], self.label[here])

    def renumbered(self, place: NDArray[np.int64]) -> Pairs:
        """Return the same pairs in a forest in which nodes have new numbers."""
        return Pairs(place[self.first], place[self.second], self.label)


def draw_pairs(forest: Forest, values: NodeValues, count: int, rng: np.random.Generator) -> Pairs:
    """Return at most ``count`` pairs, half of them equal and half different if there are enough.

    values: of the nodes of the plan that the forest was made from.
    """
    first, second = _draw_equal(values.code[forest.nodes], count // 2, rng)
    place = _sample(np.arange(max(0, forest.size - 1)), count, rng)  # twice as many as needed, since some do not differ
    place = place[values.differ(forest.nodes[place], forest.nodes[place + 1])][: count // 2]
    label = np.repeat(np.array([1, 0], np.float32), [len(first), len(place)])
    return Pairs(np.concatenate([first, place]), np.concatenate([second, place + 1]), label)


def _draw_equal(code: NDArray[np.int64], count: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return random pairs of places with the same value code."""
    order = rng.permutation(len(code))
    order = order[np.argsort(code[order], kind="stable")]
    place = np.flatnonzero((code[order[:-1]] == code[order[1:]]) & (code[order[1:]] >= 0))
    place = _sample(place, count, rng)
    return order[place], order[place + 1]


def _sample(places: NDArray[Any], count: int, rng: np.random.Generator) -> NDArray[Any]:
    return rng.permutation(places)[:count]


def pair_loss(states: Tensor, pairs: Pairs, head: nn.Module) -> Tensor:
    """Return the cross-entropy of the head on pairs of states, summed over the pairs. states: (nodes, n)."""
    first, second = (states[torch.from_numpy(places).to(states.device)] for places in (pairs.first, pairs.second))
    label = torch.from_numpy(pairs.label).to(states)
    return F.binary_cross_entropy_with_logits(head(first, second), label, reduction="sum")
