"""TreeEncoder: a cell with weights for a vocabulary, run over forests."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch import Tensor, nn
from torch._compile import _disable_dynamo  # what torch.compiler.disable does, without loading the compiler now

from treesmu.data import CorpusPlan, Forest, Vocab

from ..cells.base import Cell, Gates
from .by_hand import Run, Sweep, unit_length
from .child_sum import Summed
from .concatenated import Concatenated
from .layout import Block, Layout
from .leaves import LeafStates
from .wiring import Wiring


class TreeEncoder(nn.Module):
    """The states of trees: ``TreeEncoder(TreeSMU(hidden=50, stack=5), vocab)(forest)``.

    inputs: d, when inner nodes have an input vector of their own; 0 when only leaves carry something.
    unit: states are scaled to length 1, at every node, leaves too.
    by_hand: use the cell's hand-written ``up`` and ``down`` where it has them; False differentiates ``step`` by autograd,
    which is slower and gives the same values and gradients.
    """

    def __init__(self, cell: Cell, vocab: Vocab, inputs: int = 0, unit: bool = False, by_hand: bool = True) -> None:
        super().__init__()
        if not isinstance(cell, Cell) or not isinstance(vocab, Vocab):
            raise TypeError("an encoder is made of a cell and a vocabulary: TreeEncoder(TreeSMU(hidden=50), vocab)")
        if type(inputs) is not int or inputs < 0:
            raise ValueError(f"inputs is the size of an inner node's input, 0 for none, not {inputs!r}")
        self.cell, self.vocab = cell, vocab
        self.inputs, self.unit, self.by_hand = inputs, unit, by_hand
        self.leaves = LeafStates(vocab, cell.hidden)
        self.wiring: Wiring = (Summed if cell.child_sum else Concatenated)(cell, vocab, inputs)

    def plan(self, texts: Any) -> CorpusPlan:
        """Prefix strings as integer arrays, from which forests are made quickly: ``encoder(plan.batch(rows))``."""
        return CorpusPlan.from_prefix(texts, self.vocab)

    def forward(self, forest: Forest, inputs: Tensor | None = None) -> Tensor:
        """The state of each tree: (trees, n), or (trees, 2, n) for the two sides of equations.

        inputs: (nodes, d) in the forest's order, if the encoder has been made for them; those of leaves are not used.
        """
        return self.at_roots(self.nodes(forest, inputs), forest)

    @staticmethod
    def at_roots(states: Tensor, forest: Forest) -> Tensor:
        """Return the states of the roots, (trees, n) or (trees, 2, n), from those of all nodes of the forest."""
        roots = torch.from_numpy(forest.roots).to(states.device)
        return states[roots if forest.is_equations else roots[:, 0]]

    def nodes(self, forest: Forest, inputs: Tensor | None = None) -> Tensor:
        """The state of every node of the forest, in its order: (nodes, n)."""
        run = _not_compiled if "torch._dynamo" in sys.modules else TreeEncoder._nodes
        states: Tensor = run(self, forest, inputs)
        return states

    def _nodes(self, forest: Forest, inputs: Tensor | None) -> Tensor:
        inputs = self._checked(forest, inputs)
        leaf_states = self._leaf_states(forest)
        if forest.size == len(forest.leaf):
            return leaf_states
        layout = Layout(forest, leaf_states.device)
        inner = None if inputs is None else inputs[layout.leaves :]
        mask = self._mask(layout, leaf_states)
        if not (self.by_hand and self.cell.is_by_hand):
            return self._plain(layout, leaf_states, inner, mask)[0]
        if torch.is_grad_enabled():
            settings = (self.cell, self.wiring, layout, self.unit)
            states: Tensor = Run.apply(settings, leaf_states, inner, mask, *self.wiring.parameters())
            return states
        return Sweep(self.cell, self.wiring, layout, leaf_states, inner, mask, self.unit).up()

    def remember(self, forest: Forest) -> tuple[Tensor, Tensor | None]:
        """States (nodes + 1, n) and memories (nodes + 1, *memory) of all nodes, without gradients.

        The last row, of zeros, is for a child that is not there. No memories if the cell has none.
        """
        self._checked(forest, None)
        with torch.no_grad():
            leaf_states = self._leaf_states(forest)
            if forest.size == len(forest.leaf):
                memory = self._empty_memory(leaf_states).get("memory")
                return _with_zeros(leaf_states), None if memory is None else _with_zeros(memory)
            layout = Layout(forest, leaf_states.device)
            if self.by_hand and self.cell.is_by_hand:
                sweep = Sweep(self.cell, self.wiring, layout, leaf_states, None, None, self.unit)
                sweep.up()
                return sweep.h, sweep.memory
            h, memory, _ = self._plain(layout, leaf_states, None, None)
        return _with_zeros(h), None if memory is None else _with_zeros(memory)

    def trace(self, forest: Forest, inputs: Tensor | None = None) -> dict[str, Tensor]:
        """What happens at every node, by name: ``h`` (nodes, n), ``memory`` (nodes, *cell.memory) and the cell's gates.

        Gates are NaN where there are none, at leaves and for children that a node has not; ``f`` is (nodes, arity, n).
        """
        inputs = self._checked(forest, inputs)
        with torch.no_grad():
            leaf_states = self._leaf_states(forest)
            if forest.size == len(forest.leaf):
                return {"h": leaf_states, **self._empty_memory(leaf_states)}
            layout = Layout(forest, leaf_states.device)
            inner = None if inputs is None else inputs[layout.leaves :]
            h, memory, gates = self._plain(layout, leaf_states, inner, self._mask(layout, leaf_states))
        found = {"h": h} if memory is None else {"h": h, "memory": memory}
        absent = torch.from_numpy(forest.children[:, : layout.max_arity] < 0).to(h.device)  # (nodes, max_arity)
        for block, named in gates:
            first = layout.leaves + block.start
            for name, found_values in named.items():
                values = found_values.to(h)
                shape = (layout.max_arity, *values.shape[2:]) if name == "f" else values.shape[1:]
                if name not in found:
                    found[name] = values.new_full((layout.nodes, *shape), torch.nan)
                rows = found[name][first : first + block.nodes]
                (rows[:, : block.arity] if name == "f" else rows).copy_(values)
        if "f" in found:
            found["f"][absent] = torch.nan
        return found

    # -- parts -----------------------------------------------------------------------------------------------------------

    def _leaf_states(self, forest: Forest) -> Tensor:
        states: Tensor = self.leaves(forest)
        return self._scaled(states)

    def _scaled(self, states: Tensor) -> Tensor:
        return unit_length(states) if self.unit else states

    def _checked(self, forest: Forest, inputs: Tensor | None) -> Tensor | None:
        """The inputs, as the weights are; anything that does not fit is an error."""
        if not isinstance(forest, Forest):
            raise TypeError(f"an encoder takes a Forest, not {type(forest).__name__}: Forest.from_trees(trees, encoder.vocab)")
        if forest.vocab is not self.vocab and forest.vocab != self.vocab:
            raise ValueError("this forest was made with another vocabulary than the encoder's; make it with encoder.vocab")
        found = None if inputs is None else tuple(inputs.shape) if isinstance(inputs, Tensor) else type(inputs).__name__
        wanted = (forest.size, self.inputs) if self.inputs else None
        if found != wanted:
            what = "none" if wanted is None else f"a tensor {wanted}"
            raise ValueError(f"inputs of nodes: expected {what}, as the encoder was made for, not {found or 'none'}")
        return None if inputs is None else inputs.to(self.leaves.embedding.weight)

    def _mask(self, layout: Layout, like: Tensor) -> Tensor | None:
        """(inner, dropped, n): 0 or 1/(1 - rate). Identical sub-trees that are one node share theirs."""
        rate = self.cell.dropout
        if not (self.training and rate):
            return None
        mask = like.detach().new_empty(layout.inner, self.cell.dropped, self.cell.hidden)
        return mask.bernoulli_(1 - rate).div_(1 - rate)

    def _empty_memory(self, leaf_states: Tensor) -> dict[str, Tensor]:
        return {"memory": leaf_states.new_zeros(len(leaf_states), *self.cell.memory)} if self.cell.memory else {}

    def step(self, z: Tensor, memory: Tensor, at: BlockNodes) -> tuple[Tensor, Tensor | None, Gates]:
        """The cell's step; what it returns must have the shapes that it promised."""
        cell, nodes = self.cell, at.block.nodes
        state, own, gates = cell.step(z, memory, at)
        name = type(cell).__name__
        if state.shape != (nodes, cell.hidden):
            raise ValueError(f"{name}.step: the states are {tuple(state.shape)}, not {(nodes, cell.hidden)}")
        if cell.memory and (own is None or own.shape != (nodes, *cell.memory)):
            found = None if own is None else tuple(own.shape)
            raise ValueError(f"{name}.step: the memories are {found}, not {(nodes, *cell.memory)}")
        if {"h", "memory"} & set(gates):
            raise ValueError(f"{name}.step: a gate cannot be called h or memory, which a trace shows already")
        return state, own, gates

    def _plain(
        self, layout: Layout, leaf_states: Tensor, inputs: Tensor | None, mask: Tensor | None
    ) -> tuple[Tensor, Tensor | None, list[tuple[Block, Gates]]]:
        """States, memories and gates by the cell's ``step``, in the order of the forest, recorded by autograd.

        Rows are written into one tensor and gathered from it: neither needs its values again on the way back.
        """
        cell, leaves = self.cell, layout.leaves
        h = torch.cat([leaf_states, leaf_states.new_zeros(layout.inner + 1, cell.hidden)])
        memory = leaf_states.new_zeros(layout.nodes + 1, *cell.memory)
        gates: list[tuple[Block, Gates]] = []
        for blocks in layout.blocks:
            level = []
            for block in blocks:
                at = BlockNodes(self.wiring, block, mask)
                below = h.index_select(0, block.children).unflatten(0, (block.nodes, block.arity))  # (m, a, n)
                z = self.wiring.plain(below, at.rows(inputs), block.groups)
                kept = memory.index_select(0, block.children).unflatten(0, (block.nodes, block.arity))
                state, own, seen = self.step(z, kept, at)
                level.append((block, self._scaled(state), own))
                gates.append((block, seen))
            for block, state, own in level:
                places = slice(leaves + block.start, leaves + block.start + block.nodes)
                h[places] = state
                if own is not None:
                    memory[places] = own
        return h[:-1], memory[:-1] if cell.memory else None, gates


def _with_zeros(rows: Tensor) -> Tensor:
    return torch.cat([rows, torch.zeros_like(rows[:1])])


# torch.compile does not follow writing into views, and gives other numbers without a word: it must leave this alone.
# (The name is only used once torch.compile has been loaded, which takes a second.)
_not_compiled = _disable_dynamo(TreeEncoder._nodes)


class BlockNodes:
    """A block as ``step`` sees it (:class:`treesmu.models.cells.base.Nodes`)."""

    def __init__(self, wiring: Wiring, block: Block, mask: Tensor | None) -> None:
        self.wiring, self.block = wiring, block
        self.mask = self.rows(mask)

    def rows(self, buffer: Tensor | None) -> Tensor | None:
        start = self.block.start
        return None if buffer is None else buffer[start : start + self.block.nodes]

    def linear(self, name: str, x: Tensor) -> Tensor:
        weights: Any = self.wiring.linears[name]
        return weights.plain(x, self.block.groups)

    def drop(self, x: Tensor, layer: int = 0) -> Tensor:
        return x if self.mask is None else x * self.mask[:, layer]
