"""CorpusPlan: a corpus as integer arrays, made once, from which batches are made by a few array operations.

Identical sub-expressions of the whole corpus are one node. Nodes are numbered by (height, function, children), leaves first,
so that nodes of one height and function are consecutive, and in an ascending list of nodes children come before parents.

A corpus of prefix strings is read in pieces: the nodes of each piece are interned first, then the distinct nodes of all pieces
(intern.py). There is no Python loop over nodes or equations, and no recursion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import Expr

from .expr_nodes import find_members, number_exprs, parse_texts
from .forest import Forest
from .intern import NO_CHILD, Ints, Longs, Piece, check_kind, distinct, merge, plan_piece
from .node_arrays import NodeArrays, TreeRows, unshare
from .prefix_strings import PIECE_BYTES, pieces_of
from .symbols import Symbols
from .vocab import Vocab


@dataclass(frozen=True, slots=True, eq=False)
class CorpusPlan(TreeRows):
    """The interned nodes of a corpus, and the nodes of each of its equations (or plain trees)."""

    vocab: Vocab
    leaf: Ints  # (leaves,) vocabulary ids; the leaves are the first nodes
    leaf_tokens: tuple[str, ...]
    number: NDArray[np.float64]  # (leaves,) the value of a <number>, NaN for other leaves
    groups: Longs  # (groups, 4) height, function, start, stop: nodes start:stop have this height and function
    children: Ints  # (nodes, max_arity) -1 where there is none
    roots: Ints  # (rows, 2) the sides of equations, or (rows, 1) plain trees
    depth: Ints  # (rows,) 0 for a leaf; the equality counts as a node
    size: Ints  # (rows,) nodes of the tree, counted with repetitions and with the equality
    offsets: Longs  # (rows + 1,) members[offsets[i]:offsets[i+1]] are the distinct nodes of row i, ascending
    members: Ints

    @classmethod
    def from_prefix(cls, texts: Any, vocab: Vocab, piece_bytes: int = PIECE_BYTES) -> CorpusPlan:
        """Plan prefix strings such as ``Equality Add x 1 Add 1 x``: a pyarrow array of strings, or a list of them.

        All rows are equations, or none is. A malformed row raises a DataError that names it (rows are counted from 0).
        """
        symbols = Symbols(vocab)
        return plan_of_piece(_read_pieces([], texts, symbols, piece_bytes), vocab, symbols.leaf_tokens)

    def extended(self, texts: Any, piece_bytes: int = PIECE_BYTES) -> CorpusPlan:
        """Return the plan of these rows followed by further prefix strings; only those are read.

        It is the plan of all prefix strings together, so its nodes have other numbers: see :meth:`nodes_in`.
        """
        symbols = Symbols(self.vocab)
        piece = _read_pieces([self._as_piece(symbols)], texts, symbols, piece_bytes)
        return plan_of_piece(piece, self.vocab, symbols.leaf_tokens)

    def nodes_in(self, extended: CorpusPlan) -> Longs:
        """Return the number that each node of this plan has in a plan made from it by :meth:`extended`, (nodes,)."""
        numbers = np.empty(len(self.children), np.int64)
        numbers[self.members] = extended.members[: len(self.members)]  # the members of the same rows
        return numbers

    @classmethod
    def from_exprs(cls, exprs: Iterable[Expr | str], vocab: Vocab) -> CorpusPlan:
        """Plan equations or other expressions, not both; strings are parsed. The plan is that of their prefix strings.

        An expression that the vocabulary does not know raises a DataError that names its row (rows are counted from 0).
        """
        symbols, parsed = Symbols(vocab), parse_texts(exprs)
        found = number_exprs(parsed, symbols)
        depth, size = np.array([(e.depth, e.size) for e in parsed]).T
        members = find_members(found.children, found.roots)
        return plan_of_piece(Piece(*found, depth.astype(np.int32), size, *members), vocab, symbols.leaf_tokens)

    @property
    def left(self) -> Ints:
        """The left sides of the equations, or the roots of plain trees, (rows,)."""
        return self.roots[:, 0]

    @property
    def right(self) -> Ints:
        """The right sides of the equations, (rows,)."""
        return self.roots[:, 1]

    def batch(self, rows: Sequence[int] | NDArray[np.integer[Any]], share: bool = True) -> Forest:
        """Return the forest of these rows, with each distinct node once; with ``share=False`` as often as it occurs."""
        rows = self.existing_rows(rows)
        if not share:
            return Forest.of_nodes(self.vocab, self._arrays, *unshare(self.children, self.roots[rows]))
        begin, length = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        place = np.arange(length.sum()) + np.repeat(begin - (np.cumsum(length) - length), length)
        nodes = distinct(self.members[place])
        below = self.children.take(nodes, axis=0)  # (n, max_arity)
        children = np.where(below < 0, NO_CHILD, np.searchsorted(nodes, below))
        roots = np.searchsorted(nodes, self.roots[rows])
        return Forest.of_nodes(self.vocab, self._arrays, nodes.astype(np.int64), children, roots)

    def prefix(self, row: int) -> str:
        """Return the prefix string of a row."""
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

    def _as_piece(self, symbols: Symbols) -> Piece:
        """Return the whole plan as a piece of a larger corpus: the piece from which it was made."""
        leaves = [symbols.add(token) for token in self.leaf_tokens]  # numbers in the order in which they were met
        height, function, start, stop = self.groups.T
        is_last = np.append(height[1:] != height[:-1], True)[: len(height)]  # of its height
        return Piece(
            symbol=np.concatenate([np.array(leaves, np.int32), np.repeat(function, stop - start).astype(np.int32)]),
            children=self.children.T,
            level_starts=np.concatenate([[0, len(leaves)], stop[is_last]]),
            roots=self.roots,
            depth=self.depth,
            size=self.size.astype(np.int64),
            distinct=np.diff(self.offsets),
            members=self.members,
        )

    @property
    def _arrays(self) -> NodeArrays:
        return NodeArrays(self.leaf, self.leaf_tokens, self.number, self.groups, self.children)


def _read_pieces(pieces: list[Piece], texts: Any, symbols: Symbols, piece_bytes: int) -> Piece:
    """Read prefix strings after the pieces that are known already, and merge all of them."""
    known_rows = sum(len(piece.roots) for piece in pieces)
    for place, rows in pieces_of(texts, piece_bytes):
        first_row = known_rows + place
        read, starts = symbols.read(rows, first_row)
        equations = pieces[0].roots.shape[1] == 2 if pieces else bool(read[0] == Symbols.EQUALITY)
        check_kind(read, starts, first_row, equations)
        pieces.append(plan_piece(read, symbols.arity(read), starts, first_row))
    if not pieces:
        raise DataError("nothing to plan: the corpus has no rows")
    return merge(pieces)


def plan_of_piece(corpus: Piece, vocab: Vocab, leaf_tokens: Sequence[str]) -> CorpusPlan:
    """Return the plan of numbered nodes. leaf_tokens: of the vocabulary's leaves and of the decimals met, by symbol."""
    return CorpusPlan(
        vocab,
        *NodeArrays.from_symbols(vocab, corpus.symbol, corpus.children, corpus.level_starts, leaf_tokens),
        roots=corpus.roots,
        depth=corpus.depth,
        size=corpus.size.astype(np.int32),
        offsets=np.cumsum(np.concatenate([[0], corpus.distinct])),
        members=corpus.members,
    )
