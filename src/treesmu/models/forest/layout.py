"""Layout: the levels, blocks and groups of a forest as index tensors on a device.

Rows count inner nodes from 0; in the forest the leaves come before them. A layout is made at every call of an encoder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu.data import Forest


@dataclass(slots=True)
class Block:
    """The nodes of one height and arity, and their groups: consecutive rows of one function."""

    arity: int
    start: int  # the first row
    nodes: int
    functions: list[int]  # of the groups
    sizes: list[int]  # of the groups
    children: Tensor  # (nodes·arity,) places in the forest

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The function and the number of nodes of each group."""
        return list(zip(self.functions, self.sizes, strict=True))


class Layout:
    """The forest's levels from the lowest up: ``level_sizes``, ``level_starts``, and their ``blocks``.

    Everything but the counts is computed when it is first used: a compiled pass needs none of it.
    """

    def __init__(self, forest: Forest, device: torch.device) -> None:
        self.forest, self.device = forest, device
        self.leaves, self.nodes = len(forest.leaf), forest.size
        self.inner = self.nodes - self.leaves

    def tensor(self, array: Any) -> Tensor:
        """Return an array as a tensor on the layout's device."""
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    @cached_property
    def group_sizes(self) -> list[int]:
        """The number of nodes of each group."""
        sizes: list[int] = (self.forest.groups[:, 3] - self.forest.groups[:, 2]).tolist()
        return sizes

    @cached_property
    def level_sizes(self) -> list[int]:
        """The number of nodes of each level."""
        sizes: list[int] = (self.forest.levels[:, 2] - self.forest.levels[:, 1]).tolist()
        return sizes

    @cached_property
    def level_starts(self) -> list[int]:
        """The first row of each level."""
        starts: list[int] = (self.forest.levels[:, 1] - self.leaves).tolist()
        return starts

    @cached_property
    def _group_arities(self) -> Any:
        return np.array(self.forest.vocab.arities)[self.forest.groups[:, 1]]

    @cached_property
    def max_arity(self) -> int:
        """The largest arity of a function in the forest."""
        return int(self._group_arities.max())

    @cached_property
    def function_of(self) -> Any:
        """The function of every row, (inner,)."""
        return self.forest.functions

    @cached_property
    def functions(self) -> Tensor:
        """The function of every row as a tensor, (inner,)."""
        return self.tensor(self.function_of)

    @cached_property
    def arity_of(self) -> Any:
        """The arity of every row, (inner,)."""
        return np.repeat(self._group_arities, self.group_sizes)

    @cached_property
    def below(self) -> Any:
        """The children of every row, (inner, max_arity). An absent child is the place after the last node."""
        below = self.forest.children[self.leaves :, : self.max_arity]
        return np.where(below < 0, self.nodes, below) if self.forest.vocab.variadic else below

    @cached_property
    def blocks(self) -> list[list[Block]]:
        """The blocks of each level. The children of all blocks of an arity are one tensor, split."""
        heights, arities = self.forest.groups[:, 0].tolist(), self._group_arities.tolist()
        group_functions = self.forest.groups[:, 1].tolist()
        blocks: list[list[Block]] = []
        start = 0
        for _, level in groupby(range(len(heights)), heights.__getitem__):
            blocks.append([])
            for arity, of_arity in groupby(level, arities.__getitem__):
                groups = list(of_arity)
                here = slice(groups[0], groups[-1] + 1)
                sizes = self.group_sizes[here]
                blocks[-1].append(Block(arity, start, sum(sizes), group_functions[here], sizes, self.functions))
                start += blocks[-1][-1].nodes
        for arity, of_one in _by_arity(blocks).items():
            below = self.below[self.rows_of_arity[arity], :arity]
            parts = self.tensor(below.ravel()).split([block.nodes * arity for block in of_one])
            for block, children in zip(of_one, parts, strict=True):
                block.children = children
        return blocks

    @cached_property
    def blocks_of_arity(self) -> dict[int, list[Block]]:
        """The blocks of each arity, from the lowest up."""
        return _by_arity(self.blocks)

    @cached_property
    def rows_of_arity(self) -> dict[int, Any]:
        """The rows of the nodes of each arity."""
        return {a: np.flatnonzero(self.arity_of == a) for a in sorted(set(self.arity_of.tolist()))}

    @cached_property
    def first_with_child(self) -> list[list[int]]:
        """The number of rows, for each k and level, that come before the rows with a k-th child."""
        return [
            np.add.reduceat((self.arity_of <= k).astype(np.int64), self.level_starts).tolist() for k in range(self.max_arity)
        ]

    def children(self, k: int) -> list[Tensor]:
        """Return, for each level, the k-th children of those nodes that have one."""
        rows = np.flatnonzero(self.arity_of > k) if k else slice(None)  # every inner node has a first child
        sizes = [size - first for size, first in zip(self.level_sizes, self.first_with_child[k], strict=True)]
        return list(self.tensor(self.below[rows, k]).split(sizes))

    def rows_with_child(self, buffer: Tensor, k: int) -> Sequence[Tensor]:
        """Return, for each level, the rows of a buffer (inner, ...) of those nodes that have a k-th child."""
        firsts = zip(self.first_with_child[k], self.level_sizes, strict=True)
        sizes = [part for first, size in firsts for part in (first, size - first)] if k else self.level_sizes
        rows: Sequence[Tensor] = buffer.split(sizes)
        return rows[1::2] if k else rows  # every node has a first child

    def groups_of_arity(self, buffer: Tensor, arity: int) -> list[Tensor]:
        """Return the rows of a buffer (inner, ...) of each group with this arity."""
        sizes, places = self._gaps[arity]
        parts = buffer.split(sizes)
        return [parts[place] for place in places]

    @cached_property
    def _gaps(self) -> dict[int, tuple[list[int], list[int]]]:
        """The sizes to split rows by, for each arity, and which of the parts are its groups; the others lie between them."""
        found: dict[int, tuple[list[int], list[int]]] = {}
        for arity, blocks in self.blocks_of_arity.items():
            sizes: list[int] = []
            places: list[int] = []
            stop = 0
            for block in blocks:
                sizes.append(block.start - stop)
                places.extend(range(len(sizes), len(sizes) + len(block.sizes)))
                sizes.extend(block.sizes)
                stop = block.start + block.nodes
            found[arity] = [*sizes, self.inner - stop], places
        return found


def _by_arity(blocks: list[list[Block]]) -> dict[int, list[Block]]:
    """Return the blocks of all levels by their arity."""
    found: dict[int, list[Block]] = {}
    for block in (block for level in blocks for block in level):
        found.setdefault(block.arity, []).append(block)
    return found
