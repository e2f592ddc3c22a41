"""TreePlan: the rows of a table planned for an encoder, and the node of the plan that each node of the table is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trees.intern import NO_CHILD, number_tokens
from ..trees.plan import CorpusPlan, plan_of_piece
from .fold import ADDED, fold_wide
from .reading import Reading
from .table import TreeTable

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class TreePlan:
    """A plan, as equations have it; identical sub-trees are one node."""

    corpus: CorpusPlan
    node_of: Array  # (nodes of the table,) int64: the node of the plan, -1 for the node above two trees


def plan_trees(table: TreeTable, reading: Reading) -> TreePlan:
    """Plan all rows of a table. A label that the reading does not know is a DataError that names its row."""
    symbol, tokens = reading.symbols(table)
    flat = fold_wide(symbol, table.arity, table.starts, reading)
    piece, node = number_tokens(flat.symbol, flat.arity, flat.starts, 0)
    absent = max(reading.vocab.arities, default=1) - len(piece.children)  # columns that no node of these rows needs
    if absent > 0:
        piece = piece._replace(children=np.pad(piece.children, ((0, absent), (0, 0)), constant_values=NO_CHILD))
    corpus = plan_of_piece(piece, reading.vocab, tokens)
    if reading.vocab.numbers:
        corpus = replace(corpus, number=(corpus.number - reading.mean) / reading.scale)
    is_given = flat.origin != ADDED
    node_of = np.full(len(table.token), -1, np.int64)
    node_of[flat.origin[is_given]] = np.where(flat.symbol < 0, -1, node)[is_given]
    return TreePlan(corpus, node_of)
