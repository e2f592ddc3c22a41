"""ExprNodes: the distinct nodes of Expr objects as integer arrays, made without prefix strings.

Identical expressions are one object, so that each is visited once, and its height is its depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from treesmu.errors import DataError
from treesmu.expr import Expr, parse

from .intern import NO_CHILD, Ints, Longs, check_kind, distinct, intern, renumber
from .symbols import Symbols


class ExprNodes(NamedTuple):
    """The nodes of some expressions, numbered by (height, symbol, children). An equality at a root is no node."""

    symbol: Ints  # (nodes,)
    children: Ints  # (max_arity, nodes)
    level_starts: Longs  # (heights + 1,) the nodes of height h are level_starts[h]:level_starts[h+1]
    roots: Ints  # (rows, 2) the sides of equations, or (rows, 1) plain expressions


def parse_texts(exprs: Iterable[Expr | str]) -> list[Expr]:
    """Return the expressions; strings are parsed."""
    if isinstance(exprs, str | Expr) or not isinstance(exprs, Iterable):
        raise DataError(f"expected a list of expressions or of their texts, such as ['sin(x) + 1'], not {exprs!r:.60}")
    parsed = [parse(e) if isinstance(e, str) else e for e in exprs]
    for row, e in enumerate(parsed):
        if not isinstance(e, Expr):
            raise DataError(f"expression {row}: expected an expression or its text, such as 'sin(x) + 1', not {e!r:.60}")
    return parsed


def first_occurrences(exprs: Iterable[Expr]) -> dict[Expr, int]:
    """Number the distinct sub-expressions by first occurrence in preorder, one expression after the other."""
    place: dict[Expr, int] = {}
    stack = list(exprs)[::-1]
    while stack:
        e = stack.pop()
        if e not in place:
            place[e] = len(place)
            stack += e.children[::-1]
    return place


def number_exprs(exprs: Sequence[Expr], symbols: Symbols) -> ExprNodes:
    """Number the nodes of equations or of plain expressions, exactly as those of their prefix strings are numbered."""
    if not exprs:
        raise DataError("nothing to plan: the corpus has no rows")
    place = first_occurrences(exprs)
    tokens = [e.token for e in place]
    arity_of = {token: len(e.children) for token, e in dict(zip(tokens, place, strict=True)).items()}  # from any node
    symbol_of = {token: symbols.add(token) for token in arity_of}  # decimals by first occurrence
    _check_tokens(exprs, symbol_of, arity_of, symbols)
    symbol = np.array([symbol_of[token] for token in tokens], np.int32)
    roots = np.array([place[e] for e in exprs])
    is_equality = symbol == Symbols.EQUALITY
    equations = bool(is_equality[roots[0]])
    check_kind(symbol[roots], np.arange(len(roots) + 1), 0, equations)
    below = np.array([place[child] for e in place for child in e.children], np.int32)
    if is_equality[below].any():
        row, _ = _first_where(exprs, lambda e: any(is_equality[place[child]] for child in e.children))
        raise DataError(f"row {row}: an equation cannot be a part of an expression")
    children = _children(symbols.arity(symbol), below)
    height = np.array([e.depth for e in place], np.int32)
    height[is_equality] = -1  # no node: it has no weights and no state
    number, representative, level_starts = intern(symbol, children, height)
    return ExprNodes(
        symbol=symbol[representative],
        children=renumber(children[:, representative], number),
        level_starts=level_starts,
        roots=number[children[:2, roots].T if equations else roots[:, None]],
    )


def _children(arity: Ints, below: Ints) -> Ints:
    """Return the places of the children, (max_arity, nodes). below: the same places, one node after the other."""
    slot = np.arange(len(below)) - np.repeat(np.cumsum(arity) - arity, arity)
    children = np.full((max(1, int(arity.max())), len(arity)), NO_CHILD, np.int32)
    children[slot, np.repeat(np.arange(len(arity)), arity)] = below
    return children


def _check_tokens(exprs: Sequence[Expr], symbol_of: dict[str, int], arity_of: dict[str, int], symbols: Symbols) -> None:
    """Raise a DataError for a token that the vocabulary does not know, or knows with another number of arguments."""
    known = dict(zip(symbol_of, symbols.arity(np.array([*symbol_of.values()], np.int32)).tolist(), strict=True))
    unknown = {token for token, symbol in symbol_of.items() if symbol == Symbols.UNKNOWN}
    if unknown:
        row, e = _first_where(exprs, lambda e: e.token in unknown)
        raise DataError(f"row {row}: {symbols.why_unknown(e.token)}")
    if arity_of != known:
        row, e = _first_where(exprs, lambda e: arity_of[e.token] != known[e.token])
        arities = f"arity {arity_of[e.token]}, in the vocabulary {known[e.token]}"
        raise DataError(f"row {row}: {e.token!r} has the {arities}; correct the vocabulary")


def _first_where(exprs: Sequence[Expr], is_wrong: Callable[[Expr], bool]) -> tuple[int, Expr]:
    """Return the first row with a node that is wrong, and this node."""
    return next((row, e) for row, root in enumerate(exprs) for e in first_occurrences([root]) if is_wrong(e))


def find_members(children: Ints, roots: Ints) -> tuple[Longs, Ints]:
    """Return how many distinct nodes each row has (rows,), and these nodes, row by row and ascending.

    children: (max_arity, nodes); roots: (rows, 1 or 2). Works from the roots downwards, one generation at a time.
    """
    rows, bits = len(roots), children.shape[1].bit_length()
    pair = distinct((np.arange(rows)[:, None] << bits | roots).ravel())  # (row, node) as one integer
    found = [pair]
    while pair.size:
        below = children[:, pair & ((1 << bits) - 1)].astype(np.int64)  # (max_arity, pairs)
        pair = distinct((pair >> bits << bits | below)[below >= 0])
        found.append(pair)
    pair = distinct(np.concatenate(found))
    return np.bincount(pair >> bits, minlength=rows), (pair & ((1 << bits) - 1)).astype(np.int32)
