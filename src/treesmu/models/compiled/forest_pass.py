"""CompiledPass: a forest computed by compiled code, one call up and one call down.

What it computes is the hand-written step of a cell (forest/by_hand.py), node by node instead of operation by operation: all
elementwise work of a node is done while its numbers are in the cache, and PyTorch is not called for every level and function.
"""

from __future__ import annotations

from typing import Any, get_args
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

from treesmu.compilation import find_blas

from ..forest.passes import ForestPass, Gradients
from ..normalise import Norm
from ..wiring.base import Wiring
from .cells import compiled_cell
from .forest_plan import HIDDEN_SIZE, HIDDEN_START, I_SIZE, I_START, Z_SIZE, Z_START, plan_forest
from .kernels import forest as kernels
from .kernels.buffers import DownBuffers, UpBuffers
from .native import Array, DirectCalls
from .network import NetworkTables
from .threads import allowed_threads, run_threads
from .workspace import WORKSPACES

NODES_PER_THREAD = 700  # with fewer inner nodes, waking a thread costs as much as it saves
UP, DOWN = DirectCalls(kernels.up), DirectCalls(kernels.down)
_tables: WeakKeyDictionary[Wiring, NetworkTables] = WeakKeyDictionary()


class CompiledPass(ForestPass):
    """A pass by the compiled step of a cell, which must have one; on the CPU, in float32 or float64."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cell, layout = self.cell, self.layout
        self.compiled = compiled_cell(cell)
        blas = find_blas()
        assert blas is not None, "this implementation is chosen only where there is one"
        self.blas, self.norm_number = blas, get_args(Norm).index(self.norm)
        self.tables = tables_of(self.wiring)
        self.plan = plan_forest(layout.forest, self.tables.sizes)
        self.threads = max(1, min(allowed_threads(), layout.inner // NODES_PER_THREAD))
        leaf_states = self.leaf_states.detach().numpy()
        self.dtype = leaf_states.dtype
        of_states, of_memories = (np.empty((layout.nodes + 1, *s), leaf_states.dtype) for s in ((cell.hidden,), cell.memory))
        of_states[: layout.leaves] = leaf_states
        of_states[-1] = of_memories[-1] = of_memories[: layout.leaves] = 0
        self.states, self.memories = torch.from_numpy(of_states), torch.from_numpy(of_memories)
        self.workspace = WORKSPACES.take(self.dtype)

    def _network(self, gradients: Tensor | None = None) -> Any:
        return self.tables.network(self.blas.gemm[self.states.element_size()], self.states.dtype, gradients)

    def _call(self, kernel: DirectCalls, *arguments: Any) -> None:
        key = type(self.compiled.settings), self.dtype
        with self.blas.one_thread():
            run_threads(kernel, self.threads, key, self.compiled.settings, self.norm_number, self.plan, *arguments)

    def up(self, is_kept: bool = True) -> Tensor:
        inner, kept, array = self.layout.inner, self.compiled.kept, self.workspace.array
        i, hidden, z, rows = self._flat_sizes(is_kept)
        inputs = np.empty((inner, 0), self.dtype) if self.inputs is None else self.inputs.detach().contiguous().numpy()
        masks = np.empty((inner, 0, 0), self.dtype) if self.mask is None else self.mask.contiguous().numpy()
        states, memories = self.states.numpy(), self.memories.numpy().reshape(len(self.states), -1)
        memories = memories if self.cell.memory else np.empty((len(states), 0), self.dtype)
        of_nodes = states, memories, inputs, masks, array("scales", inner)
        flat = array("i", i), array("before", hidden), array("after", hidden), array("z", z), array("kept", rows * kept)
        self.buffers = UpBuffers(is_kept, *of_nodes, *flat, kept, array("scratch", self.threads, self.compiled.scratch))
        self._call(UP, self._network(), self.buffers)
        if not is_kept:
            self._give_back()
        return self.states[:-1]

    def _give_back(self) -> None:
        WORKSPACES.give_back(self.workspace)
        del self.workspace

    def _flat_sizes(self, is_kept: bool) -> tuple[int, int, int, int]:
        """Return the sizes of i, the hidden layer and z, and the number of rows: of all nodes, or of a chunk per thread."""
        if is_kept:
            totals = self.plan.functions[-1]
            return int(totals[I_START]), int(totals[HIDDEN_START]), int(totals[Z_START]), self.layout.inner
        rows, largest = self.threads * kernels.CHUNK, self.plan.sizes.max(0)
        return rows * int(largest[I_SIZE]), rows * int(largest[HIDDEN_SIZE]), rows * int(largest[Z_SIZE]), rows

    def down(self, grad: Tensor) -> Gradients:
        dstates = torch.cat([grad, grad.new_zeros(1, self.cell.hidden)])
        gradients = grad.new_empty(sum(self.tables.lengths))
        dinputs = self.down_into(dstates, gradients, np.zeros(len(self.plan.sizes), np.int64))
        found = None if self.inputs is None else dinputs
        return Gradients(dstates[: self.layout.leaves], found, self.tables.split(gradients))

    def down_into(self, dstates: Tensor, gradients: Tensor, is_zero: Array) -> Tensor:
        """Write the gradients of leaves, of the weights and, which are returned, of the inputs of inner nodes, (inner, d).

        dstates: (nodes + 1, n) those of the loss, and zeros in the last row; the rows of leaves are written.
        gradients: flat, those of the weights. is_zero: (functions,) 1 where these are known to be 0; kept up to date.
        """
        i, hidden, z, rows = self._flat_sizes(is_kept=True)
        dkept, array = self.compiled.dkept, self.workspace.array
        dmemory = array("dmemory", self.threads, kernels.CHUNK * self.buffers.memories.shape[1])
        dinputs = np.empty((self.layout.inner, self.wiring.inputs), self.dtype)
        flat = array("di", i), array("dhidden", hidden), array("dz", z), array("dkept", rows * dkept)
        to = DownBuffers(dstates.numpy(), dmemory, dinputs, *flat, dkept, is_zero)
        self._call(DOWN, self._network(gradients), self.buffers, to)
        self._give_back()
        return torch.from_numpy(dinputs)


def tables_of(wiring: Wiring) -> NetworkTables:
    """Return the tables of a wiring, which are made again if its parameters have been replaced."""
    found = _tables.get(wiring)
    if found is None or not found.is_current:
        found = _tables[wiring] = NetworkTables(wiring)
    return found
