"""Intern nodes: identical sub-trees become one node, first within each piece of a corpus, then in the whole corpus.

Nodes are numbered by (height, symbol, children), leaves first, in each piece and in the whole corpus. The order of two nodes is
the same in both, so sorted lists of nodes remain sorted.
There is no Python loop over nodes or equations, and no recursion.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

from .symbols import Symbols

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
_Int = TypeVar("_Int", np.int32, np.int64)

NO_CHILD = -1  # in an array of children, where a node has fewer than others


# -- one piece of the corpus ---------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """The distinct nodes of a piece of a corpus, numbered from 0 in the order of the plan."""

    symbol: Ints  # (nodes,)
    children: Ints  # (max_arity, nodes)
    level_starts: Longs  # (heights + 1,) the nodes of height h are level_starts[h]:level_starts[h+1]
    roots: Ints  # (rows, 2) or (rows, 1)
    depth: Ints  # (rows,)
    size: Longs  # (rows,)
    distinct: Longs  # (rows,) the number of members of each row
    members: Ints  # the distinct nodes of each row, ascending, row after row


def check_kind(symbols: Ints, starts: Longs, first_row: int, equations: bool) -> None:
    """Raise a DataError unless the equality is at the root of every row and nowhere else; or nowhere, for plain trees."""
    wrong = (symbols == Symbols.EQUALITY) != equations  # for the roots ...
    inside = np.ones(len(symbols), bool)
    inside[starts[:-1]] = False
    wrong[inside] = symbols[inside] == Symbols.EQUALITY  # ... and for other nodes
    if wrong.any():
        place = int(np.argmax(wrong))
        row = first_row + int(np.searchsorted(starts, place, side="right")) - 1
        if inside[place]:
            raise DataError(f"row {row}: an equation cannot be a part of an expression")
        kinds = "a plain tree among equations" if equations else "an equation among plain trees"
        raise DataError(f"row {row}: {kinds}; plan the two kinds apart")


def plan_piece(symbol: Ints, arity: Ints, starts: Longs, first_row: int) -> Piece:
    """Intern the nodes of prefix strings. symbol, arity: (tokens,); starts: (rows + 1,) the first token of each row."""
    return number_tokens(symbol, arity, starts, first_row)[0]


def number_tokens(symbol: Ints, arity: Ints, starts: Longs, first_row: int) -> tuple[Piece, Ints]:
    """Return the piece of prefix strings, and the number of each token in it (tokens,); that of an equality has no meaning."""
    children = _children(arity, starts, first_row)  # (max_arity, tokens)
    root = starts[:-1]
    height = _heights(children, root)  # (tokens,)
    depth = height[root]
    is_node = symbol >= 0
    height[~is_node] = -1  # the equality is not a node: it has no weights and no state
    node, representative, level_starts = intern(symbol, children, height)
    # Sort (row, node) pairs as one integer, then keep each pair once: the distinct nodes of every row, ascending.
    bits = len(representative).bit_length()
    pair = (np.repeat(np.arange(len(root)), np.diff(starts)) << bits) | node[:-1]
    pair = distinct(pair[is_node])
    piece = Piece(
        symbol=symbol[representative],
        children=renumber(children[:, representative], node),
        level_starts=level_starts,
        roots=node[root[:, None] if is_node[0] else children[:2, root].T],
        depth=depth,
        size=np.diff(starts),
        distinct=np.bincount(pair >> bits, minlength=len(root)),
        members=(pair & ((1 << bits) - 1)).astype(np.int32),
    )
    return piece, node[:-1]


def _children(arity: Ints, starts: Longs, first_row: int) -> Ints:
    """Return the positions of the children of each token, (max_arity, tokens), from the arities.

    Read from right to left, a token pops its children from a stack and pushes itself; let s be the size of the stack
    after it. Child k of token i is the first token j > i with s[j] = s[i] + arity[i] - 1 - k. So the first child is i + 1,
    and the last one is the next token of the same s: its successor in a stable sort by s.
    """
    tokens, last = len(arity), starts[1:] - 1
    stack = np.cumsum((1 - arity)[::-1])[::-1]  # over all rows; the next line counts from the end of each row
    stack -= np.repeat(stack[last] - (1 - arity[last]), np.diff(starts))
    lacking = np.minimum.reduceat(stack, starts[:-1]) < 1
    wrong = np.flatnonzero(lacking | (stack[starts[:-1]] != 1))
    if wrong.size:
        fault = "a function lacks an argument" if lacking[wrong[0]] else "tokens are left over after the end of the tree"
        raise DataError(f"row {first_row + wrong[0]}: {fault}")
    order = np.argsort(stack.astype(_small(stack.max())), kind="stable")
    inner = np.flatnonzero(arity)
    children = np.full((max(1, int(arity.max())), tokens), NO_CHILD, np.int32)
    successor = np.empty(tokens, np.int32)
    successor[order[:-1]] = order[1:]
    children[arity[inner] - 1, inner] = successor[inner]
    children[0, inner] = inner + 1
    if len(children) > 2:
        keys = stack[order] * tokens + order  # ascending
    for k in range(1, len(children) - 1):
        wide = np.flatnonzero(arity > k + 1)
        after = (stack[wide] + arity[wide] - 1 - k) * tokens + wide
        children[k, wide] = order[np.searchsorted(keys, after, side="right")]
    return children


def _heights(children: Ints, roots: Longs | Ints) -> Ints:
    """Return the height of each token, (tokens,): 0 for a leaf, else 1 + the height of the highest child.

    Works one generation at a time, from the roots downwards and then up again.
    """
    height = np.full(children.shape[1] + 1, -1, np.int32)  # the last entry is that of NO_CHILD
    generations = []
    while roots.size:
        below = children[:, roots]  # (max_arity, m)
        generations.append((roots, below))
        roots = below[below >= 0]
    for tokens, below in reversed(generations):
        height[tokens] = height[below].max(axis=0) + 1
    return height[:-1]


# -- interning -----------------------------------------------------------------------------------------------------------


def intern(symbol: Ints, children: Ints, height: Ints) -> tuple[Ints, Longs, Longs]:
    """Number nodes by (height, symbol, children). Equal nodes get one number; nodes of height -1 get none.

    Returns the number of each node (nodes + 1,), one node of each number (distinct,), and the first number of each height
    (heights + 1,).
    """
    number = np.zeros(len(symbol) + 1, np.int32)  # the last entry is that of NO_CHILD: larger than all numbers given so far
    by_height = np.argsort((height + 1).astype(_small(height.max() + 1)), kind="stable")
    ends = np.cumsum(np.bincount(height + 1)).tolist()
    representatives, starts = [], [0]
    for start, stop in pairwise(ends):
        nodes, known = by_height[start:stop], starts[-1]
        key, bound = symbol[nodes].astype(np.int64), int(symbol[nodes].max(initial=0)) + 1
        number[NO_CHILD] = known
        for child in children if known else ():  # leaves have none
            if bound * (known + 1) >= 1 << 62:
                key, first = _rank(key, bound)
                bound = len(first)
            key, bound = key * (known + 1) + number[child[nodes]], bound * (known + 1)
        rank, first = _rank(key, bound)
        number[nodes] = rank + known
        representatives.append(nodes[first])
        starts.append(known + len(first))
    return number, np.concatenate(representatives), np.array(starts)


def number_nodes(symbol: Ints, children: Ints, height: Ints, share: bool) -> tuple[Ints, Longs, Longs]:
    """Number nodes as :func:`intern` does; without ``share`` every node gets its own number, by (height, symbol)."""
    if share:
        return intern(symbol, children, height)
    order = np.lexsort((symbol, height))
    number = np.empty(len(symbol), np.int32)
    number[order] = np.arange(len(symbol))
    return number, order, np.cumsum([0, *np.bincount(height)])


def distinct(values: NDArray[_Int]) -> NDArray[_Int]:
    """Return the sorted distinct values, many times faster than np.unique, which hashes."""
    ordered = np.sort(values)
    return ordered[is_new(ordered)]


def is_new(values: NDArray[_Int]) -> NDArray[np.bool_]:
    """Return where a value differs from the one before it; True for the first one."""
    new = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def _rank(key: Longs, bound: int) -> tuple[Longs, Longs]:
    """Return the rank of each key (below ``bound``) among the distinct keys, and the place of one key of each rank."""
    if bound <= 4 * len(key) + 1024:  # a table is faster than a sort
        present = np.zeros(bound, bool)
        present[key] = True
        rank = (np.cumsum(present) - 1)[key]
        first = np.empty(np.count_nonzero(present), np.int64)
        first[rank] = np.arange(len(key))
        return rank, first
    order = np.argsort(key)
    ordered = key[order]
    new = is_new(ordered)
    rank = np.empty(len(key), np.int64)
    rank[order] = np.cumsum(new) - 1
    return rank, order[new]


def renumber(children: Ints, number: Ints) -> Ints:
    """Return the children with each place replaced by its number."""
    return np.where(children < 0, np.int32(NO_CHILD), number[children])


def _small(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return a small integer type: NumPy uses radix sort for 8 and 16 bits, which is several times faster."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


# -- all pieces together -------------------------------------------------------------------------------------------------


def merge(pieces: list[Piece]) -> Piece:
    """Intern the nodes of all pieces together and return the whole corpus as one piece."""
    first = np.cumsum([0, *(len(piece.symbol) for piece in pieces)])  # the nodes of piece i are first[i]:first[i+1] of all
    symbol = np.concatenate([piece.symbol for piece in pieces])
    height = np.concatenate([np.repeat(np.arange(len(p.level_starts) - 1), np.diff(p.level_starts)) for p in pieces])
    children = np.full((max(len(piece.children) for piece in pieces), len(symbol)), NO_CHILD, np.int32)
    for piece, start in zip(pieces, first, strict=False):
        part = children[: len(piece.children), start : start + len(piece.symbol)]
        part[:] = np.where(piece.children < 0, NO_CHILD, piece.children + start)
    number, representative, level_starts = intern(symbol, children, height)
    roots = np.concatenate([number[piece.roots + start] for piece, start in zip(pieces, first, strict=False)])
    members = np.concatenate([number[piece.members + start] for piece, start in zip(pieces, first, strict=False)])
    return Piece(
        symbol=symbol[representative],
        children=renumber(children[:, representative], number),
        level_starts=level_starts,
        roots=roots,
        depth=np.concatenate([piece.depth for piece in pieces]),
        size=np.concatenate([piece.size for piece in pieces]),
        distinct=np.concatenate([piece.distinct for piece in pieces]),
        members=members,
    )
