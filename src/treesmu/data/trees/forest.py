"""Forest: a batch of trees of any arity and any labels, as integer arrays ordered by height and function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import Expr

from .expr_nodes import number_exprs, parse_texts
from .flatten import flatten, heights
from .intern import NO_CHILD, Ints, Longs, is_new, number_nodes, renumber
from .nested_tuples import list_of_trees
from .node_arrays import NodeArrays, TreeRows, unshare
from .symbols import Symbols
from .vocab import Vocab, check_vocab


@dataclass(frozen=True, slots=True, eq=False)
class Forest(TreeRows):
    """The nodes of some trees, numbered from 0 by (height, function), so that children come before their parents.

    The leaves come first. Nodes of one height and function are consecutive (a group), and so are the nodes of one height that
    have a k-th child, because functions are in the order of arity.
    """

    vocab: Vocab
    nodes: Longs  # (n,) the number of each node in the plan that the forest was made from
    leaf: Ints  # (leaves,) vocabulary ids; the leaves are the first nodes
    number: NDArray[np.float64]  # (leaves,) the value of a <number>, NaN for other leaves
    groups: Longs  # (groups, 4) height, function, start, stop: nodes start:stop have this height and function
    children: Longs  # (n, max_arity) -1 where there is none
    roots: Longs  # (trees, 2) the sides of equations, or (trees, 1) plain trees
    leaf_tokens: Sequence[str]  # by the numbers of the plan

    @classmethod
    def of_nodes(cls, vocab: Vocab, arrays: NodeArrays, nodes: Longs, children: Longs, roots: Longs) -> Forest:
        """Make the forest of some nodes.

        nodes: (n,) ascending numbers of the arrays' nodes; children: (n, max_arity) and roots: places in ``nodes``.
        """
        groups = arrays.groups.copy()
        groups[:, 2:] = np.searchsorted(nodes, arrays.groups[:, 2:])
        leaves = nodes[: np.searchsorted(nodes, len(arrays.leaf))]
        return cls(
            vocab,
            nodes,
            leaf=arrays.leaf[leaves],
            number=arrays.number[leaves],
            groups=groups[groups[:, 2] < groups[:, 3]],
            children=children,
            roots=roots,
            leaf_tokens=arrays.leaf_tokens,
        )

    @classmethod
    def from_exprs(cls, exprs: Iterable[Expr | str], vocab: Vocab | None = None, share: bool = True) -> Forest:
        """Make a forest of equations or of other expressions, not both. Text is parsed.

        Identical sub-expressions are one node unless ``share=False``. Errors are those of :meth:`CorpusPlan.from_exprs`.
        """
        vocab = Vocab.default() if vocab is None else check_vocab(vocab)
        symbols = Symbols(vocab)
        found = number_exprs(parse_texts(exprs), symbols)
        arrays = NodeArrays.from_symbols(vocab, found.symbol, found.children, found.level_starts, symbols.leaf_tokens)
        if not share:
            return cls.of_nodes(vocab, arrays, *unshare(arrays.children, found.roots))
        nodes = np.arange(len(arrays.children))
        return cls.of_nodes(vocab, arrays, nodes, arrays.children.astype(np.int64), found.roots.astype(np.int64))

    @classmethod
    def from_trees(cls, trees: Iterable[Any], vocab: Vocab | None = None, share: bool = True) -> Forest:
        """Make a forest of nested tuples ``(label, child, ...)`` of any depth; a leaf is ``(label,)`` or the label alone.

        The default vocabulary has every label of the trees (:meth:`Vocab.from_trees`). A root whose label is the vocabulary's
        equality pairs the two sides of an equation, as in ``("Equality", left, right)``.
        """
        trees = list_of_trees(trees)
        vocab = Vocab.from_trees(trees) if vocab is None else check_vocab(vocab)
        symbol, children, roots, tokens = flatten(trees, vocab)
        number, representative, level_starts = number_nodes(symbol, children, heights(children), share)
        below = renumber(children[:, representative], number)
        arrays = NodeArrays.from_symbols(vocab, symbol[representative], below, level_starts, tokens)
        nodes = np.arange(len(representative))
        return cls.of_nodes(vocab, arrays, nodes, arrays.children.astype(np.int64), number[roots].astype(np.int64))

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.nodes)

    @property
    def levels(self) -> Longs:
        """The levels as height, start, stop: nodes start:stop have this height. (heights, 3)"""
        new = is_new(self.groups[:, 0])
        first, last = self.groups[new], self.groups[np.append(new[1:], True)[: len(new)]]
        return np.stack([first[:, 0], first[:, 2], last[:, 3]], axis=1)

    @property
    def functions(self) -> Longs:
        """The function of each node that is not a leaf, (inner nodes,)."""
        return np.repeat(self.groups[:, 1], self.groups[:, 3] - self.groups[:, 2])

    @property
    def labels(self) -> list[str]:
        """The label of every node, in the order of the rows of states and of traces."""
        leaves = [self.leaf_tokens[node] for node in self.nodes[: len(self.leaf)].tolist()]
        return leaves + [self.vocab.functions[function] for function in self.functions.tolist()]

    def __repr__(self) -> str:
        kind = "equations" if self.is_equations else "trees"
        return f"Forest({len(self):,} {kind}, {self.size:,} nodes, {len(self.leaf):,} of them leaves)"

    def preorder(self) -> Longs:
        """Return the nodes of all trees in preorder, one tree after the other, without the equalities.

        ``features[forest.preorder()] = rows`` assigns rows in preorder to the nodes; make the forest with ``share=False``, or
        identical sub-trees overwrite each other.
        """
        order: list[int] = []
        below = self.children[:, ::-1].tolist()
        stack = self.roots.ravel()[::-1].tolist()
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(child for child in below[node] if child >= 0)
        return np.array(order, np.int64)

    def renamed(self, names: NDArray[np.integer[Any]]) -> Forest:
        """Return the same trees with ``names[i]`` in place of leaf i of the vocabulary. Names must be distinct."""
        ids = np.append(names[: self.vocab.number_id], self.vocab.number_id)
        return replace(self, leaf=ids[self.leaf].astype(np.int32))

    def reached(self, trees: Any, nodes: Any = ()) -> NDArray[np.bool_]:
        """Return which nodes are in some of the trees, or are some of the nodes or their descendants, (n,)."""
        found = np.zeros(self.size, bool)
        found[self.roots[trees]] = True
        found[np.asarray(nodes, np.int64)] = True
        for _, start, stop in self.levels[::-1].tolist():
            below = self.children[start:stop][found[start:stop]]
            found[below[below >= 0]] = True
        return found

    def part(self, trees: Any, nodes: Any) -> tuple[Forest, Longs]:
        """Return a forest of some of the trees and of some nodes with their descendants, and the new number of each node.

        The new number of a node that is left out has no meaning.
        """
        needed = self.reached(trees, nodes)
        kept, place = np.flatnonzero(needed), np.cumsum(needed) - 1
        leaves, children, groups = kept[kept < len(self.leaf)], self.children[kept], self.groups.copy()
        groups[:, 2:] = np.searchsorted(kept, self.groups[:, 2:])
        part = replace(
            self,
            nodes=self.nodes[kept],
            leaf=self.leaf[leaves],
            number=self.number[leaves],
            groups=groups[groups[:, 2] < groups[:, 3]],
            children=np.where(children < 0, NO_CHILD, place[children]),
            roots=place[self.roots[trees]],
        )
        return part, place

    def unbatch(self) -> list[tuple[Any, ...]]:
        """Return the trees as nested tuples."""
        tokens, names = self._tokens(), self.vocab.functions
        built: list[tuple[Any, ...]] = [(token,) for token in tokens]
        for function, below in zip(self.functions.tolist(), self.children[len(self.leaf) :].tolist(), strict=True):
            built.append((names[function], *(built[child] for child in below if child >= 0)))
        if self.is_equations:
            return [(self.vocab.equality, built[left], built[right]) for left, right in self.roots.tolist()]
        return [built[root] for root in self.roots[:, 0].tolist()]

    def _tokens(self) -> list[str]:
        """Return the tokens of the leaves: those of the vocabulary, or decimals as they were read."""
        known = self.vocab.leaves
        places = zip(self.leaf.tolist(), self.nodes[: len(self.leaf)].tolist(), strict=True)
        return [known[leaf] if leaf < len(known) else self.leaf_tokens[node] for leaf, node in places]
