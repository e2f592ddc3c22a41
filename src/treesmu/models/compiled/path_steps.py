"""PathSteps: the compiled step of a cell for many nodes of one function that differ in one child, as completion needs it."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import numpy as np
import torch
from torch import Tensor

from treesmu.compilation import find_blas

from ..cells.base import Cell
from ..normalise import Norm
from ..wiring.base import Wiring
from .cells import compiled_cell
from .forest_pass import tables_of
from .kernels.normalise import normalise
from .kernels.rows import UpRows, step_up
from .native import Array, DirectCalls, entry, unowned


class PathBuffers(NamedTuple):
    """The numbers of a step on the path of a blank."""

    scales: Array  # (rows,)
    kept: Array  # (rows, kept)
    scratch: Array  # (numbers,)
    masks: Array  # (rows, 0, 0): there is no dropout


@entry
def path_step(
    cell: Any,
    norm: int,
    net: Any,
    function: int,
    z: Array,
    children: Array,
    memories: Array,
    h: Array,
    memory: Array,
    of: PathBuffers,
) -> None:
    """Compute nodes of one function from their pre-activations: states h and memories. children: rows of memories."""
    nodes = unowned(z), unowned(children), unowned(memories), unowned(of.masks), unowned(h), unowned(memory)
    rows = UpRows(net, function, *nodes, unowned(of.kept), unowned(of.scratch))
    step_up(cell, rows)
    normalise(norm, rows.h, unowned(of.scales))


STEP = DirectCalls(path_step)


class PathSteps:
    """The steps of some rows, which go up together; their buffers are allocated once."""

    def __init__(self, cell: Cell, wiring: Wiring, norm: Norm, rows: int, like: Tensor) -> None:
        """Prepare for a number of rows. like: a tensor of the type of the weights."""
        self.compiled, self.cell, self.rows = compiled_cell(cell), cell, rows
        self.tables, self.norm_number = tables_of(wiring), get_args(Norm).index(norm)
        blas = find_blas()
        assert blas is not None, "this implementation is chosen only where there is one"
        self.blas = blas
        self.h = like.detach().new_empty(rows, cell.hidden)
        others = max(wiring.vocab.arities)  # rows behind the varying ones: the memories of the children that do not vary
        size = (2, rows + others, int(np.prod(cell.memory)) if cell.memory else 0)
        self.memories = like.detach().new_zeros(size)
        self.buffers = PathBuffers(
            scales=self.h.new_empty(rows).numpy(),
            kept=self.h.new_empty(rows, self.compiled.kept).numpy(),
            scratch=self.h.new_empty(self.compiled.scratch).numpy(),
            masks=self.h.new_empty(rows, 0, 0).numpy(),
        )
        self.turn = 0  # which of the two memories is written, while the other one is read

    @torch.no_grad()
    def step(self, function: int, z: Tensor, varying: int, memories: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return states (rows, n) and memories (rows, *memory) of nodes. z: (rows, columns), which is changed.

        memories: (rows, *memory) of each child, of which all but the varying one are the same in all rows.
        """
        rows, below, self.turn = self.rows, self.memories[self.turn], 1 - self.turn
        children = np.empty((rows, len(memories)), np.int64)
        for k, memory in enumerate(memories):
            children[:, k] = np.arange(rows) if k == varying else rows + k
            if self.cell.memory and k != varying:
                below[rows + k] = memory[0].flatten()
        if self.cell.memory and memories[varying].data_ptr() != below.data_ptr():  # those of the fillers themselves
            below[:rows] = memories[varying].flatten(1)
        above = self.memories[self.turn, :rows]
        self._call(function, z, children, below, above)
        return self.h, above.view(rows, *self.cell.memory) if self.cell.memory else above

    def _call(self, function: int, z: Tensor, children: Any, below: Tensor, above: Tensor) -> None:
        network = self.tables.network(self.blas.gemm[z.element_size()], z.dtype)
        arrays = z.numpy(), children, below.numpy(), self.h.numpy(), above.numpy()
        key = type(self.compiled.settings), z.dtype
        with self.blas.one_thread():
            STEP(key, self.compiled.settings, self.norm_number, network, function, *arrays, self.buffers)
