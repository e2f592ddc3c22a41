"""NodeArrays: distinct nodes of trees as integer arrays, numbered by (height, function, children), leaves first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .intern import NO_CHILD, Ints, Longs, is_new
from .vocab import Vocab


class NodeArrays(NamedTuple):
    """What a plan of a corpus and a forest know about their nodes."""

    leaf: Ints  # (leaves,) vocabulary ids; the leaves are the first nodes
    leaf_tokens: tuple[str, ...]
    number: NDArray[np.float64]  # (leaves,) the value of a <number>, NaN for other leaves
    groups: Longs  # (groups, 4) height, function, start, stop: nodes start:stop have this height and function
    children: Ints  # (nodes, max_arity) -1 where there is none

    @classmethod
    def from_symbols(
        cls, vocab: Vocab, symbol: Ints, children: Ints, level_starts: Longs, leaf_tokens: Sequence[str]
    ) -> NodeArrays:
        """Make the arrays of numbered nodes.

        symbol: (nodes,) a function, or ``len(vocab.functions)`` plus a place in ``leaf_tokens``; children: (max_arity, nodes);
        level_starts: (heights + 1,) the first node of each height.
        """
        first_leaf = len(vocab.functions)
        leaves = symbol[: level_starts[1]] - first_leaf
        tokens = tuple(leaf_tokens[place] for place in leaves.tolist())
        values = [vocab.number_value(token) for token in tokens]
        return cls(
            leaf=np.minimum(leaves, vocab.number_id).astype(np.int32),
            leaf_tokens=tokens,
            number=np.array([np.nan if v is None else v for v in values], float),
            groups=_groups(symbol, level_starts),
            children=np.ascontiguousarray(children.T),
        )


def _groups(symbol: Ints, level_starts: Longs) -> Longs:
    """Return the groups of all nodes except the leaves, (groups, 4): height, function, start, stop."""
    height = np.repeat(np.arange(len(level_starts) - 1), np.diff(level_starts))
    start = np.flatnonzero(is_new(symbol) | is_new(height))
    start = start[start >= level_starts[1]]
    stop = np.append(start[1:], len(symbol))[: len(start)]
    return np.stack([height[start], symbol[start], start, stop], axis=1)


def unshare(children: Ints, roots: Ints) -> tuple[Longs, Longs, Longs]:
    """Repeat every node as often as it occurs in the trees under the roots.

    Trees are expanded from their roots downwards, one generation at a time; then all copies are sorted by their original
    nodes. Returns the original node of each copy (copies,), the copies' children (copies, max_arity), and the roots.
    """
    generation = roots.ravel().astype(np.int64)
    nodes, parents, slots, count = [generation], [generation[:0]], [generation[:0]], 0
    while generation.size:
        below = children[generation]  # (m, max_arity)
        parent, slot = np.nonzero(below >= 0)
        parents.append(parent + count)
        slots.append(slot)
        count += len(generation)
        generation = below[parent, slot].astype(np.int64)
        nodes.append(generation)
    everything = np.concatenate(nodes)
    order = np.argsort(everything, kind="stable")
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    copied = np.full((count, children.shape[1]), NO_CHILD, np.int64)
    copied[place[np.concatenate(parents)], np.concatenate(slots)] = place[roots.size :]
    return everything[order], copied, place[: roots.size].reshape(roots.shape)
