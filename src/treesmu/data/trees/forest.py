"""Forest: a batch of trees as integer arrays, by height and function, identical sub-trees once. Any arity, any labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import Expr, parse

from .intern import NO_CHILD, Ints, Longs, groups_of, is_new, number_nodes
from .nested_tuples import label_of
from .vocab import Vocab


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The nodes of some trees, closed under children, numbered from 0 by (height, function): an order of evaluation.

    The leaves come first. Nodes of one height and function are contiguous, and so are all of one height that have a k-th
    child, since functions are in the order of arity.
    """

    vocab: Vocab
    nodes: Longs  # (n,) what the plan that this comes from calls each node
    leaf: Ints  # (leaves,) vocabulary ids; the leaves are the first nodes
    number: NDArray[np.float64]  # (leaves,) the value of a <number>, NaN for other leaves
    groups: Longs  # (groups, 4) height, function, start, stop: nodes start:stop have this height and function
    children: Longs  # (n, max_arity) -1 where there is none
    roots: Longs  # (trees, 2) the sides of equations, or (trees, 1) plain trees
    leaf_tokens: Sequence[str]  # by the plan's numbers

    @classmethod
    def from_exprs(cls, exprs: Iterable[Expr | str], vocab: Vocab | None = None, share: bool = True) -> Forest:
        """From equations or other expressions, not both; identical sub-expressions are one node unless ``share=False``.

        Text is parsed.
        """
        from .plan import CorpusPlan

        parsed = [parse(e) if isinstance(e, str) else e for e in exprs]
        plan = CorpusPlan.from_prefix([" ".join(e.prefix()) for e in parsed], vocab or Vocab.default())
        return plan.batch(np.arange(len(plan)), share)

    @classmethod
    def from_trees(cls, trees: Iterable[Any], vocab: Vocab | None = None, share: bool = True) -> Forest:
        """From nested tuples ``(label, child, ...)``; a leaf is ``(label,)`` or the label alone. No limit to the depth.

        Without a vocabulary every label is known (:meth:`Vocab.from_trees`). A root with the vocabulary's equality for a
        label pairs the two sides of an equation, as in ``("Equality", left, right)``.
        """
        if isinstance(trees, str) or (isinstance(trees, tuple) and trees and isinstance(trees[0], str)):
            raise DataError("from_trees takes a list of trees: Forest.from_trees([tree])")
        trees = list(trees)
        vocab = vocab or Vocab.from_trees(trees)
        symbols, children, roots, tokens = _flatten(trees, vocab)
        height = _heights(children)
        number, representative, level_starts = number_nodes(symbols, children, height, share)
        first_leaf = len(vocab.functions)
        leaf_count = int(level_starts[1]) if len(level_starts) > 1 else 0
        leaf_symbols = symbols[representative[:leaf_count]]
        leaf_tokens = tuple(tokens[s - first_leaf] for s in leaf_symbols.tolist())
        values = [vocab.number_value(token) for token in leaf_tokens]
        below = children[:, representative]
        return cls(
            vocab,
            nodes=np.arange(len(representative)),
            leaf=np.minimum(leaf_symbols - first_leaf, vocab.number_id).astype(np.int32),
            number=np.array([np.nan if v is None else v for v in values], float),
            groups=groups_of(symbols[representative], level_starts),
            children=np.ascontiguousarray(np.where(below < 0, NO_CHILD, number[below]).T.astype(np.int64)),
            roots=number[roots].astype(np.int64),
            leaf_tokens=leaf_tokens,
        )

    def __len__(self) -> int:
        """How many trees."""
        return len(self.roots)

    @property
    def size(self) -> int:
        """How many nodes."""
        return len(self.nodes)

    @property
    def is_equations(self) -> bool:
        return bool(self.roots.shape[1] == 2)

    @property
    def levels(self) -> Longs:
        """(heights, 3) height, start, stop: the groups of one height together."""
        new = is_new(self.groups[:, 0])
        first, last = self.groups[new], self.groups[np.append(new[1:], True)[: len(new)]]
        return np.stack([first[:, 0], first[:, 2], last[:, 3]], axis=1)

    @property
    def functions(self) -> Longs:
        """(inner nodes,) the function of each node that is no leaf."""
        return np.repeat(self.groups[:, 1], self.groups[:, 3] - self.groups[:, 2])

    @property
    def labels(self) -> list[str]:
        """The label of every node, in the forest's order: what a row of states or of a trace belongs to."""
        leaves = [self.leaf_tokens[node] for node in self.nodes[: len(self.leaf)].tolist()]
        return leaves + [self.vocab.functions[function] for function in self.functions.tolist()]

    def __repr__(self) -> str:
        kind = "equations" if self.is_equations else "trees"
        return f"Forest({len(self):,} {kind}, {self.size:,} nodes, {len(self.leaf):,} of them leaves)"

    def preorder(self) -> Longs:
        """The node of every place of every tree, in preorder, one tree after the other; an equality has no place.

        So ``features[forest.preorder()] = rows`` puts what is known of each place to its node (with ``share=False``, or
        identical sub-trees overwrite each other).
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
        """The same trees with ``names[i]`` in place of leaf i of the vocabulary; two leaves must not become one."""
        ids = np.append(names[: self.vocab.number_id], self.vocab.number_id)
        return replace(self, leaf=ids[self.leaf].astype(np.int32))

    def part(self, trees: Any, nodes: Any) -> tuple[Forest, Longs]:
        """Some of the trees, beside them some nodes with all below; and the place of each node of this forest there.

        A node that is not there has a place without a meaning.
        """
        needed = np.zeros(self.size, bool)
        needed[self.roots[trees]] = True
        needed[nodes] = True
        for _, start, stop in self.levels[::-1].tolist():
            below = self.children[start:stop][needed[start:stop]]
            needed[below[below >= 0]] = True
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
        """The trees again, as nested tuples."""
        tokens, names = self._tokens(), self.vocab.functions
        built: list[tuple[Any, ...]] = [(token,) for token in tokens]
        for function, below in zip(self.functions.tolist(), self.children[len(self.leaf) :].tolist(), strict=True):
            built.append((names[function], *(built[child] for child in below if child >= 0)))
        if self.is_equations:
            return [(self.vocab.equality, built[left], built[right]) for left, right in self.roots.tolist()]
        return [built[root] for root in self.roots[:, 0].tolist()]

    def _tokens(self) -> list[str]:
        """Of the leaves: the vocabulary's, or the decimal as it was read."""
        known = self.vocab.leaves
        places = zip(self.leaf.tolist(), self.nodes[: len(self.leaf)].tolist(), strict=True)
        return [known[leaf] if leaf < len(known) else self.leaf_tokens[node] for leaf, node in places]


def _flatten(trees: list[Any], vocab: Vocab) -> tuple[Ints, Ints, Longs, list[str]]:
    """Nested tuples as symbols (nodes,), children (max_arity, nodes), roots (trees, 2 or 1) and the tokens of leaf symbols.

    Symbols are those of a prefix string: functions, then leaves, then the decimals met. Parents come before children.
    """
    if not trees:
        raise DataError("nothing to plan: there are no trees")
    tokens = list(vocab.leaves)
    decimals: dict[str, int] = {}
    symbols: list[int] = []
    below: list[list[int]] = []
    roots: list[list[int]] = []
    stack: list[tuple[int, tuple[Any, ...]]] = []

    def add(tree: Any, row: int) -> int:
        label, parts = label_of(tree, row)
        try:
            symbols.append(symbol(label, len(parts)))
        except DataError as error:
            raise DataError(f"tree {row}: {error}") from None
        below.append([])
        stack.append((len(below) - 1, parts))
        return len(below) - 1

    def symbol(label: str, arguments: int) -> int:
        if arguments:
            return _function(vocab, label, arguments)
        place = vocab.leaf_id(label)
        if place == vocab.number_id:
            place = decimals.setdefault(label, len(tokens))
            if place == len(tokens):
                tokens.append(label)
        return len(vocab.functions) + place

    for row, tree in enumerate(trees):
        sides = _sides(tree, row, vocab)
        if roots and len(sides) != len(roots[0]):
            kinds = "an equation among plain trees" if len(sides) == 2 else "a plain tree among equations"
            raise DataError(f"tree {row}: {kinds}; batch the two kinds apart")
        roots.append([add(side, row) for side in sides])
        while stack:
            node, rest = stack.pop()
            below[node].extend(add(part, row) for part in rest)
    children = np.full((max(vocab.arities, default=1), len(symbols)), NO_CHILD, np.int32)
    for node, found in enumerate(below):
        children[: len(found), node] = found
    return np.array(symbols, np.int32), children, np.array(roots, np.int64), tokens


def _sides(tree: Any, row: int, vocab: Vocab) -> tuple[Any, ...]:
    label, parts = label_of(tree, row)
    if not parts or label != vocab.equality:
        return (tree,)
    if len(parts) != 2:
        raise DataError(f"tree {row}: {label!r} takes 2 arguments, not {len(parts)}")
    return parts


def _function(vocab: Vocab, label: str, arguments: int) -> int:
    if label == vocab.equality:
        raise DataError("an equation cannot be a part of an expression")
    function = vocab.function_id(label)
    arity = vocab.arities[function]
    if arguments > arity or (arguments < arity and not vocab.variadic):
        at_most = "at most " * vocab.variadic
        raise DataError(f"{label!r} takes {at_most}{arity} argument{'s' * (arity > 1)}, not {arguments}")
    return function


def _heights(children: Ints) -> Ints:
    """(nodes,) 0 for a leaf, else 1 + the highest child; parents come before their children."""
    height = [0] * children.shape[1]
    parent = [NO_CHILD] * len(height)
    for row in children:  # a tree's nodes have one parent each
        there = np.flatnonzero(row >= 0)
        for node, child in zip(there.tolist(), row[there].tolist(), strict=True):
            parent[child] = node
    for node in range(len(height) - 1, -1, -1):
        above = parent[node]
        if above >= 0 and height[above] <= height[node]:
            height[above] = height[node] + 1
    return np.array(height, np.int32)
