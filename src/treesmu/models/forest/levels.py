"""Divide the buffers of a hand-written pass into the rows of each level and of each child of its nodes."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from ..cells.hand_written import Child, Level
from ..wiring.base import GateSizes
from .layout import Layout


def make_children(layout: Layout, z: Tensor, sizes: GateSizes) -> list[list[Child]]:
    """Return the children of each level, with the columns of z (inner, columns) of their forget gates."""
    children: list[list[Child]] = [[] for _ in layout.level_sizes]
    for k, firsts in enumerate(layout.first_with_child):
        gates = z[:, sizes.forget_columns(k)]
        parts = (layout.children(k), layout.rows_with_child(gates, k), layout.rows_with_child(gates.unsqueeze(1), k))
        for level, size, first, nodes, f, gate in zip(children, layout.level_sizes, firsts, *parts, strict=True):
            if first < size:
                level.append(Child(first, nodes, f, gate))
    return children


def make_levels(layout: Layout, z: Tensor, sizes: GateSizes) -> list[Level]:
    """Return the levels of a map alone: its outputs z (inner, columns) and the children, without states and memories."""
    none: Sequence[Tensor] = z[:, :0].split(layout.level_sizes)
    rows = zip(z.split(layout.level_sizes), none, layout.blocks, make_children(layout, z, sizes), strict=True)
    return [
        Level(z_level, empty, empty, children, (), [size for block in blocks for size in block.sizes], {})
        for z_level, empty, blocks, children in rows
    ]


def assign_gradients(layout: Layout, levels: list[Level], dz: Tensor, sizes: GateSizes) -> None:
    """Assign its rows of dz (inner, columns) to every level and child."""
    for level, rows in zip(levels, dz.split(layout.level_sizes), strict=True):
        level.dz = rows
    for k in range(layout.max_arity):
        for level, df in zip(levels, layout.rows_with_child(dz[:, sizes.forget_columns(k)], k), strict=True):
            if k < len(level.children):
                level.children[k].df = df
