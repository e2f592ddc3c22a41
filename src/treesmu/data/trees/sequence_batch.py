"""SequenceBatch: sequences of token ids, padded to one length and divided into chunks of similar length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .intern import Ints, Longs
from .node_arrays import TreeRows
from .vocab import Vocab

Form = Literal["parentheses", "tree"]
SIGNS = ("(", ",", ")")
CHUNK_COST = 150  # of one more chunk for a model, in tokens of padding; training speed is nearly the same from 100 to 400
CHUNK_TOKENS = 1 << 13  # at most in a chunk, with padding: the memory of attention grows with the square of the length


def token_names(vocab: Vocab, form: Form) -> tuple[str, ...]:
    """Return the tokens in the order of their ids: functions, leaves, signs if the form has them. Decimals come after."""
    return (*vocab.functions, *vocab.leaves, *(SIGNS if form == "parentheses" else ()))


@dataclass(frozen=True, slots=True, eq=False)
class SequenceBatch(TreeRows):
    """Sequences, the longest first, padded with zeros to one length."""

    vocab: Vocab
    form: Form
    tokens: Longs  # (sequences, longest) ids of token_names; len(names) + k is the decimal numbers[k]
    lengths: Longs  # (sequences,) descending
    numbers: NDArray[np.float64]  # (distinct decimals,)
    roots: Longs  # (rows, 2) the sequences of the sides of equations, or (rows, 1) of plain expressions
    positions: Longs | None  # (sequences, longest) for the form "tree": rows of paths
    paths: Ints | None  # (distinct positions, deepest) the branches from a node up to the root, -1 above the root
    chunks: tuple[slice, ...]  # sequences of about one length: tokens[chunk, :lengths[chunk.start]] has little padding

    @property
    def is_token(self) -> NDArray[np.bool_]:
        """The mask of the tokens, (sequences, longest): False where there is padding."""
        return mask_of(self.lengths)

    @property
    def padding(self) -> float:
        """The fraction of padding in the chunks."""
        padded: int = sum((chunk.stop - chunk.start) * int(self.lengths[chunk.start]) for chunk in self.chunks)
        return 1 - float(self.lengths.sum()) / padded if padded else 0.0

    def renamed(self, names: NDArray[np.integer[Any]]) -> SequenceBatch:
        """Return the same sequences with ``names[i]`` in place of leaf i of the vocabulary."""
        first, leaves = len(self.vocab.functions), len(self.vocab.leaves)
        ids = np.arange(len(token_names(self.vocab, self.form)) + len(self.numbers))
        ids[first : first + leaves] = first + names[:leaves]
        return replace(self, tokens=ids[self.tokens])


def mask_of(lengths: Longs) -> NDArray[np.bool_]:
    """Return the mask of the tokens, (sequences, longest): True where there is one."""
    return np.arange(lengths.max(initial=0)) < lengths[:, None]


def cut_chunks(lengths: Longs) -> tuple[slice, ...]:
    """Divide sequences, the longest first, into chunks that are padded separately and have at most CHUNK_TOKENS tokens.

    The division has the least cost, where each chunk costs as much as CHUNK_COST tokens of padding. It is found by dynamic
    programming: for all sequences up to each change of the length, find the best first sequence of the last chunk.
    """
    starts = np.flatnonzero(np.diff(lengths, prepend=-1))  # where the length changes; no chunk needs to start elsewhere
    stops = np.append(starts[1:], len(lengths))[: len(starts)]
    cost, first = np.zeros(len(starts) + 1), np.zeros(len(starts) + 1, np.int64)
    for i, stop in enumerate(stops.tolist(), 1):
        costs = cost[:i] + (stop - starts[:i]) * lengths[starts[:i]] + CHUNK_COST
        first[i] = np.argmin(costs)
        cost[i] = costs[first[i]]
    chunks: list[slice] = []
    i = len(starts)
    while i:
        start, stop = int(starts[first[i]]), int(stops[i - 1])
        step = max(1, CHUNK_TOKENS // int(lengths[start]))
        chunks[:0] = [slice(begin, min(begin + step, stop)) for begin in range(start, stop, step)]
        i = int(first[i])
    return tuple(chunks)
