"""NodeArrays: distinct nodes of trees, numbered by (height, function, children), leaves first; TreeRows: rows of trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .intern import NO_CHILD, Ints, Longs, is_new
from .vocab import Vocab


class TreeRows:
    """Base class of corpora and batches: each row is an equation, with two roots, or a plain tree, with one."""

    __slots__ = ()
    roots: NDArray[np.integer[Any]]  # (rows, 2) or (rows, 1)

    def __len__(self) -> int:
        """Return the number of equations or plain trees."""
        return len(self.roots)

    @property
    def is_equations(self) -> bool:
        return bool(self.roots.shape[1] == 2)

    def existing_rows(self, rows: Sequence[int] | NDArray[np.integer[Any]]) -> Longs:
        """Return the rows as an array, or raise an IndexError if one of them does not exist."""
        found = np.asarray(rows, np.int64)
        if found.size and not 0 <= found.min() <= found.max() < len(self):
            raise IndexError(f"rows {found.min()} to {found.max()} are not in a corpus of {len(self)}")
        return found


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
