"""CorpusPlan: a corpus of prefix strings as integer arrays, made once, from which a batch is a few array operations.

Identical sub-expressions of the whole corpus are one node. Nodes are numbered by (height, function, children), leaves first,
so that the nodes of one height and function are contiguous, and an ascending list of nodes is in an order of evaluation.

A corpus is read in pieces: the nodes of each piece are interned among themselves, then the distinct nodes of all pieces
once more (intern.py).
Nothing here runs Python per node or per equation, and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

from .forest import Forest
from .intern import NO_CHILD, Ints, Longs, Piece, check_kind, distinct, groups_of, merge, plan_piece
from .prefix_strings import PIECE_BYTES, pieces_of
from .symbols import Symbols
from .vocab import Vocab


@dataclass(frozen=True, slots=True, eq=False)
class CorpusPlan:
    """The interned nodes of a corpus, and for each of its equations (or plain trees) the nodes that it needs."""

    vocab: Vocab
    leaf: Ints  # (leaves,) vocabulary ids; the leaves are the first nodes
    leaf_tokens: tuple[str, ...]
    number: NDArray[np.float64]  # (leaves,) the value of a <number>, NaN for other leaves
    groups: Longs  # (groups, 4) height, function, start, stop: nodes start:stop have this height and function
    children: Ints  # (nodes, max_arity) -1 where there is none
    roots: Ints  # (rows, 2) the sides of equations, or (rows, 1) plain trees
    depth: Ints  # (rows,) 0 for a leaf; the = of an equation counts
    size: Ints  # (rows,) nodes of the tree, the = included, repeated ones repeated
    offsets: Longs  # (rows + 1,) members[offsets[i]:offsets[i+1]] are the distinct nodes of row i, ascending
    members: Ints

    @classmethod
    def from_prefix(cls, texts: Any, vocab: Vocab, piece_bytes: int = PIECE_BYTES) -> CorpusPlan:
        """From prefix strings such as ``Equality Add x 1 Add 1 x``: a pyarrow array of strings, or a list of them.

        All rows are equations, or none is. A malformed row is a DataError that names it (rows are counted from 0).
        """
        symbols = Symbols(vocab)
        pieces: list[Piece] = []
        for first_row, rows in pieces_of(texts, piece_bytes):
            read, starts = symbols.read(rows, first_row)
            equations = pieces[0].roots.shape[1] == 2 if pieces else bool(read[0] == Symbols.EQUALITY)
            check_kind(read, starts, first_row, equations)
            pieces.append(plan_piece(read, symbols.arity(read), starts, first_row))
        if not pieces:
            raise DataError("nothing to plan: the corpus has no rows")
        return _plan_of(merge(pieces), symbols)

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def is_equations(self) -> bool:
        return bool(self.roots.shape[1] == 2)

    @property
    def left(self) -> Ints:
        """(rows,) the left sides of the equations, or the roots of plain trees."""
        return self.roots[:, 0]

    @property
    def right(self) -> Ints:
        """(rows,) the right sides of the equations."""
        return self.roots[:, 1]

    def batch(self, rows: Sequence[int] | NDArray[np.integer[Any]], share: bool = True) -> Forest:
        """The nodes of these rows, each distinct one once; with ``share=False`` each as often as it occurs."""
        rows = np.asarray(rows, np.int64)
        if rows.size and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(f"rows {rows.min()} to {rows.max()} asked of a corpus of {len(self)}")
        if not share:
            return self._unshared(self.roots[rows])
        begin, length = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        place = np.arange(length.sum()) + np.repeat(begin - (np.cumsum(length) - length), length)
        nodes = distinct(self.members[place])
        children = self.children.take(nodes, axis=0)  # (n, max_arity)
        local = np.where(children < 0, NO_CHILD, np.searchsorted(nodes, children))
        return self._batch(nodes, local, np.searchsorted(nodes, self.roots[rows]))

    def prefix(self, row: int) -> str:
        """The row as it was read."""
        words = [str(self.vocab.equality)] if self.is_equations else []
        stack = self.roots[row, ::-1].tolist()
        while stack:
            node = stack.pop()
            if node < len(self.leaf_tokens):
                words.append(self.leaf_tokens[node])
                continue
            group = np.searchsorted(self.groups[:, 3], node, side="right")
            words.append(self.vocab.functions[self.groups[group, 1]])
            stack.extend(child for child in self.children[node, ::-1].tolist() if child >= 0)
        return " ".join(words)

    def _batch(self, nodes: Longs | Ints, children: Longs, roots: Longs) -> Forest:
        nodes = nodes.astype(np.int64)
        groups = self.groups.copy()
        groups[:, 2:] = np.searchsorted(nodes, self.groups[:, 2:])
        leaves = nodes[: np.searchsorted(nodes, len(self.leaf))]
        return Forest(
            self.vocab,
            nodes,
            self.leaf[leaves],
            self.number[leaves],
            groups[groups[:, 2] < groups[:, 3]],
            children,
            roots,
            self.leaf_tokens,
        )

    def _unshared(self, roots: Ints) -> Forest:
        """Grow the trees from their roots down, a generation at a time, then sort all nodes into the order of evaluation."""
        generation = roots.ravel().astype(np.int64)
        nodes, parents, slots, count = [generation], [generation[:0]], [generation[:0]], 0
        while generation.size:
            below = self.children[generation]  # (m, max_arity)
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
        children = np.full((count, self.children.shape[1]), NO_CHILD, np.int64)
        children[place[np.concatenate(parents)], np.concatenate(slots)] = place[roots.size :]
        return self._batch(everything[order], children, place[: roots.size].reshape(roots.shape))


def _plan_of(corpus: Piece, symbols: Symbols) -> CorpusPlan:
    """The plan of the whole corpus: its leaves get vocabulary ids and values, its other nodes are grouped."""
    leaf_symbols = corpus.symbol[: corpus.level_starts[1]]
    tokens = tuple(symbols.tokens[s] for s in leaf_symbols.tolist())
    values = [symbols.vocab.number_value(token) for token in tokens]
    return CorpusPlan(
        vocab=symbols.vocab,
        leaf=np.minimum(leaf_symbols - symbols.first_leaf, symbols.vocab.number_id),
        leaf_tokens=tokens,
        number=np.array([np.nan if v is None else v for v in values]),
        groups=groups_of(corpus.symbol, corpus.level_starts),
        children=np.ascontiguousarray(corpus.children.T),
        roots=corpus.roots,
        depth=corpus.depth,
        size=corpus.size.astype(np.int32),
        offsets=np.cumsum(np.concatenate([[0], corpus.distinct])),
        members=corpus.members,
    )
