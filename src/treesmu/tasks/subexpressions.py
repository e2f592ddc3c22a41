"""The sub-expression loss: among the nodes of a batch, pairs of equal value are to be called equal, and others not.

Pairs of equal value: nodes that follow each other when the batch is sorted by value, in a random order within each value.
Pairs of different value: neighbours in the forest, mostly of the same height and function, hence alike to look at.
The numeric check, which the paper's recipe does not have, is what makes these pairs: always report the loss as a setting.
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

    first: NDArray[np.int64]  # (k,) places in the forest
    second: NDArray[np.int64]
    label: NDArray[np.float32]  # 1: of equal value, 0: not


def draw_pairs(forest: Forest, values: NodeValues, count: int, rng: np.random.Generator) -> Pairs:
    """At most ``count`` pairs, half of each sort where there are so many. values: of the plan that the forest comes from."""
    first, second = _equal(values.code[forest.nodes], count // 2, rng)
    below = _some(np.arange(max(0, forest.size - 1)), count, rng)  # twice as many as needed: some will not differ
    below = below[values.differ(forest.nodes[below], forest.nodes[below + 1])][: count // 2]
    label = np.repeat(np.array([1, 0], np.float32), [len(first), len(below)])
    return Pairs(np.concatenate([first, below]), np.concatenate([second, below + 1]), label)


def _equal(kind: NDArray[np.int64], count: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """Pairs of places of the same kind."""
    order = rng.permutation(len(kind))
    order = order[np.argsort(kind[order], kind="stable")]
    place = np.flatnonzero((kind[order[:-1]] == kind[order[1:]]) & (kind[order[1:]] >= 0))
    place = _some(place, count, rng)
    return order[place], order[place + 1]


def _some(places: NDArray[Any], count: int, rng: np.random.Generator) -> NDArray[Any]:
    return rng.permutation(places)[:count]


def pair_loss(states: Tensor, pairs: Pairs, head: nn.Module) -> Tensor:
    """Cross-entropy of the head on pairs of states, summed. states: (nodes, n)."""
    first, second = (states[torch.from_numpy(places).to(states.device)] for places in (pairs.first, pairs.second))
    label = torch.from_numpy(pairs.label).to(states)
    return F.binary_cross_entropy_with_logits(head(first, second), label, reduction="sum")
