"""TreeEncoder: a cell with weights for a vocabulary, run over forests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch._compile import _disable_dynamo  # what torch.compiler.disable does, without loading the compiler now

from treesmu.data import CorpusPlan, Forest, Vocab
from treesmu.data.augment.reading_points import fixed_points
from treesmu.data.trees.point_forest import PointForest
from treesmu.errors import DataError
from treesmu.expr import Expr

from ..cells.arguments import check_flags
from ..cells.base import Cell
from ..compiled.support import can_be_compiled
from ..normalise import Norm, check_norm, normalised
from ..wiring.base import Wiring
from ..wiring.make import make_wiring
from .autograd import AutogradPass
from .differentiable import run
from .implementation import MANY_NODES, Implementation, choose, pass_class
from .layout import Layout
from .leaves import LeafStates


class TreeEncoder(nn.Module):
    """The states of trees: ``TreeEncoder(TreeSMU(hidden=50, stack=5), vocab)(forest)``.

    inputs: d, if inner nodes have an input vector; 0 if only leaves carry information.
    norm: how the state of every node, leaves included, is normalised: ``none``, ``unit`` (length 1) or ``layer`` (layer norm).
    points: K, if variables are read as numbers: the state of a tree is then that of K trees, one after the other, in which
    each variable has its value at one of K points, which goes to the number encoder; 0 if variables have vectors of their own.
    The weights do not depend on K, so ``encoder.points`` may be changed to any other number but 0 at any time.
    by_hand: use the hand-written step of the cell if it has one; False differentiates ``step`` by autograd, which is slower
    and gives the same values and gradients.
    compiled: run the hand-written step as compiled code, on the CPU and if Numba is there (docs/explanation/models.md): True
    always, False never, None for forests of at least 5,000 nodes. Pass True if you train: it is several times as fast.
    """

    def __init__(
        self,
        cell: Cell,
        vocab: Vocab,
        inputs: int = 0,
        norm: Norm = "none",
        points: int = 0,
        by_hand: bool = True,
        compiled: bool | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(cell, Cell) or not isinstance(vocab, Vocab):
            raise TypeError("an encoder is made of a cell and a vocabulary: TreeEncoder(TreeSMU(hidden=50), vocab)")
        if type(inputs) is not int or inputs < 0:
            raise DataError(f"inputs must be the size of an inner node's input, 0 for none, not {inputs!r}")
        if type(points) is not int or points < 0 or (points and not vocab.numbers):
            what = "the number of points, 0 if variables have vectors, and the vocabulary must have numbers"
            raise DataError(f"points must be {what}, not {points!r}")
        check_flags(by_hand=by_hand, **({} if compiled is None else {"compiled": compiled}))
        self.cell, self.vocab = cell, vocab
        self.inputs, self.norm, self.points = inputs, check_norm(norm), points
        self.by_hand, self.compiled = by_hand, compiled
        self.leaves = LeafStates(vocab, cell.hidden)
        self.wiring: Wiring = make_wiring(cell, vocab, inputs)

    def implementation(self, nodes: int) -> Implementation:
        """Return how a forest, or the path of a blank for all fillers, with this many nodes is computed."""
        compiled = nodes >= MANY_NODES if self.compiled is None else self.compiled
        return choose(self.cell, self.by_hand, compiled and can_be_compiled(self.leaves.embedding.weight))

    def plan(self, texts: Any) -> CorpusPlan:
        """Return prefix strings as integer arrays, from which forests are made quickly: ``encoder(plan.batch(rows))``."""
        return CorpusPlan.from_prefix(texts, self.vocab)

    def plan_exprs(self, exprs: Sequence[Expr]) -> CorpusPlan:
        """Return expressions as integer arrays, from which forests are made quickly."""
        return CorpusPlan.from_exprs(exprs, self.vocab)

    def forward(self, forest: Forest, inputs: Tensor | None = None) -> Tensor:
        """Return the state of each tree: (trees, n), or (trees, 2, n) for the two sides of equations.

        inputs: (nodes, d) in the order of the forest, if the encoder was made for them; those of leaves are not used.
        """
        forest = self.at_points(forest)
        return self.at_roots(self.nodes(forest, inputs), forest)

    def at_points(self, forest: Forest, first: int | None = None) -> Forest:
        """Return the forest as the encoder reads it: with its variables at the encoder's points, if it has any.

        first: how many of the points, the first ones; by default all.
        """
        if not self.points or isinstance(forest, PointForest):
            return forest
        return PointForest.of(forest, fixed_points(self.vocab, self.points)[:, :first])

    def one_point_each(self, forest: Forest) -> list[Forest]:
        """Return the forest at each of the encoder's points, one point at a time; the forest itself if there are none."""
        if not self.points:
            return [forest]
        values = fixed_points(self.vocab, self.points)
        return [PointForest.of(forest, values[:, k : k + 1]) for k in range(values.shape[1])]

    @staticmethod
    def at_roots(states: Tensor, forest: Forest) -> Tensor:
        """Return the states of the roots, (trees, n) or (trees, 2, n), from those of all nodes of the forest.

        At K points they are (trees, K·n) or (trees, 2, K·n).
        """
        roots = torch.from_numpy(forest.roots).to(states.device)  # (trees, 2) or (trees, 2, K)
        return states[roots].flatten(2) if forest.is_equations else states[roots[:, 0]].flatten(1)

    @staticmethod
    def by_plain_node(states: Tensor, forest: Forest) -> Tensor:
        """Return the states of the nodes of the plain forest, (nodes, n), or (nodes, K·n) if this forest is at K points."""
        if not isinstance(forest, PointForest):
            return states
        return states[torch.from_numpy(forest.at).to(states.device)].flatten(1)

    def nodes(self, forest: Forest, inputs: Tensor | None = None) -> Tensor:
        """Return the state of every node of the forest, in its order: (nodes, n)."""
        nodes = _nodes_not_compiled if "torch._dynamo" in sys.modules else TreeEncoder._nodes
        states: Tensor = nodes(self, forest, inputs)
        return states

    def _nodes(self, forest: Forest, inputs: Tensor | None) -> Tensor:
        inputs = self._checked(forest, inputs)
        leaf_states = self.leaf_states(forest)
        if forest.size == len(forest.leaf):
            return leaf_states
        layout = Layout(forest, leaf_states.device)
        inner, mask = _inner(inputs, layout), self.dropout_mask(layout, leaf_states)
        kind = pass_class(self.implementation(forest.size))
        return run(kind, self.cell, self.wiring, layout, leaf_states, inner, mask, self.norm)

    def states_and_memories(self, forest: Forest) -> tuple[Tensor, Tensor | None]:
        """Return states (nodes + 1, n) and memories (nodes + 1, *memory) of all nodes, without gradients.

        The last row, of zeros, stands for a child that is absent. The memories are None if the cell has none.
        """
        self._checked(forest, None)
        with torch.no_grad():
            leaf_states = self.leaf_states(forest)
            if forest.size == len(forest.leaf):
                states = torch.cat([leaf_states, torch.zeros_like(leaf_states[:1])])
                return states, states.new_zeros(len(states), *self.cell.memory) if self.cell.memory else None
            layout = Layout(forest, leaf_states.device)
            kind = pass_class(self.implementation(forest.size))
            forest_pass = kind(self.cell, self.wiring, layout, leaf_states, norm=self.norm)
            forest_pass.up(is_kept=False)
        return forest_pass.states, forest_pass.memories if self.cell.memory else None

    def trace(self, forest: Forest, inputs: Tensor | None = None) -> dict[str, Tensor]:
        """Return what happens at every node, by name: ``h`` (nodes, n), ``memory`` (nodes, *cell.memory) and the cell's gates.

        Gates are NaN where there are none, at leaves and for children that a node does not have; ``f`` is (nodes, arity, n).
        """
        inputs = self._checked(forest, inputs)
        with torch.no_grad():
            leaf_states = self.leaf_states(forest)
            found = {"h": leaf_states}
            if self.cell.memory:
                found["memory"] = leaf_states.new_zeros(len(leaf_states), *self.cell.memory)
            if forest.size == len(forest.leaf):
                return found
            layout = Layout(forest, leaf_states.device)
            inner, mask = _inner(inputs, layout), self.dropout_mask(layout, leaf_states)
            forest_pass = AutogradPass(self.cell, self.wiring, layout, leaf_states, inner, mask, self.norm)
            found["h"] = forest_pass.up()
        if self.cell.memory:
            found["memory"] = forest_pass.memories[:-1]
        return found | _gates(forest_pass, forest)

    # -- parts -----------------------------------------------------------------------------------------------------------

    def leaf_states(self, forest: Forest) -> Tensor:
        """Return the normalised states of the forest's leaves: (leaves, n)."""
        states: Tensor = self.leaves(forest)
        return normalised(states, self.norm)

    def _checked(self, forest: Forest, inputs: Tensor | None) -> Tensor | None:
        """Return the inputs with the weights' type and device; raise an error if anything does not fit."""
        if not isinstance(forest, Forest):
            raise TypeError(f"an encoder takes a Forest, not {type(forest).__name__}: Forest.from_trees(trees, encoder.vocab)")
        if self.points and not isinstance(forest, PointForest):
            raise DataError("this encoder reads variables as numbers: give it encoder.at_points(forest)")
        if forest.vocab is not self.vocab and forest.vocab != self.vocab:
            raise DataError("this forest was made with another vocabulary than the encoder's; make it with encoder.vocab")
        found = None if inputs is None else tuple(inputs.shape) if isinstance(inputs, Tensor) else type(inputs).__name__
        wanted = (forest.size, self.inputs) if self.inputs else None
        if found != wanted:
            what = "none" if wanted is None else f"a tensor {wanted}"
            raise DataError(f"inputs of nodes: expected {what}, as the encoder was made for, not {found or 'none'}")
        return None if inputs is None else inputs.to(self.leaves.embedding.weight)

    def dropout_mask(self, layout: Layout, like: Tensor) -> Tensor | None:
        """Return the dropout mask (inner, dropped, n), 0 or 1/(1 - rate). Identical sub-trees, which are one node, share it."""
        rate = self.cell.dropout
        if not (self.training and rate):
            return None
        mask = like.detach().new_empty(layout.inner, self.cell.dropped, self.cell.hidden)
        return mask.bernoulli_(1 - rate).div_(1 - rate)


# torch.compile does not follow writing into views, and silently gives other numbers: it must skip this.
# (The name is only used once torch.compile has been loaded, which takes a second.)
_nodes_not_compiled = _disable_dynamo(TreeEncoder._nodes)


def _inner(inputs: Tensor | None, layout: Layout) -> Tensor | None:
    """Return the inputs of inner nodes, from those of all nodes."""
    return None if inputs is None else inputs[layout.leaves :]


def _gates(forest_pass: AutogradPass, forest: Forest) -> dict[str, Tensor]:
    """Return the gates of all nodes by name, (nodes, ...), NaN where there are none."""
    layout, found = forest_pass.layout, dict[str, Tensor]()
    for block, gates in forest_pass.gates:
        first = layout.leaves + block.start
        for name, gate in gates.items():
            values = gate.to(forest_pass.states)
            shape = (layout.max_arity, *values.shape[2:]) if name == "f" else values.shape[1:]
            if name not in found:
                found[name] = values.new_full((layout.nodes, *shape), torch.nan)
            rows = found[name][first : first + block.nodes]
            rows = rows[:, : block.arity] if name == "f" else rows
            if rows.shape != values.shape:
                what = f"the gate {name!r} is {tuple(values.shape[1:])} for some nodes and {tuple(rows.shape[1:])} for others"
                raise DataError(f"{type(forest_pass.cell).__name__}.step: {what}; only the gate 'f' may depend on the arity")
            rows.copy_(values)
    if "f" in found:
        absent = forest.children[:, : layout.max_arity] < 0  # (nodes, max_arity)
        found["f"][layout.tensor(absent)] = torch.nan
    return found
