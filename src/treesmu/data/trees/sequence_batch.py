"""SequenceBatch: sequences of token ids, padded to one length, and cut into chunks of about one length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .intern import Ints, Longs
from .vocab import Vocab

Form = Literal["parentheses", "tree"]
SIGNS = ("(", ",", ")")
CHUNK_COST = 150  # what another chunk costs a model, in tokens of padding; training speed hardly changes from 100 to 400
CHUNK_TOKENS = 1 << 13  # at most in a chunk, padding included: attention takes memory by the square of the length


def token_names(vocab: Vocab, form: Form) -> tuple[str, ...]:
    """The tokens by their ids: functions, leaves, the signs if there are any. Decimals have the ids after these."""
    return (*vocab.functions, *vocab.leaves, *(SIGNS if form == "parentheses" else ()))


@dataclass(frozen=True, slots=True, eq=False)
class SequenceBatch:
    """Some sequences, the longest first, padded with zeros to one length."""

    vocab: Vocab
    form: Form
    tokens: Longs  # (sequences, longest) ids of token_names; len(names) + k is the decimal numbers[k]
    lengths: Longs  # (sequences,) descending
    numbers: NDArray[np.float64]  # (distinct decimals,)
    roots: Longs  # (rows, 2) the sequences of the sides of equations, or (rows, 1) of plain expressions
    positions: Longs | None  # (sequences, longest) for the form "tree": the places in paths
    paths: Ints | None  # (distinct positions, deepest) the branches from a node up to the root, -1 above the root
    chunks: tuple[slice, ...]  # sequences of about one length: tokens[chunk, :lengths[chunk.start]] has little padding

    def __len__(self) -> int:
        """How many equations or plain expressions."""
        return len(self.roots)

    @property
    def is_equations(self) -> bool:
        return bool(self.roots.shape[1] == 2)

    @property
    def is_token(self) -> NDArray[np.bool_]:
        """(sequences, longest) False at the padding."""
        return mask_of(self.lengths)

    @property
    def padding(self) -> float:
        """The share of padding in the chunks."""
        padded: int = sum((chunk.stop - chunk.start) * int(self.lengths[chunk.start]) for chunk in self.chunks)
        return 1 - float(self.lengths.sum()) / padded if padded else 0.0

    def renamed(self, names: NDArray[np.integer[Any]]) -> SequenceBatch:
        """The same sequences with ``names[i]`` in place of leaf i of the vocabulary."""
        first, leaves = len(self.vocab.functions), len(self.vocab.leaves)
        ids = np.arange(len(token_names(self.vocab, self.form)) + len(self.numbers))
        ids[first : first + leaves] = first + names[:leaves]
        return replace(self, tokens=ids[self.tokens])


def mask_of(lengths: Longs) -> NDArray[np.bool_]:
    return np.arange(lengths.max(initial=0)) < lengths[:, None]


def cut_chunks(lengths: Longs) -> tuple[slice, ...]:
    """Cut sequences, the longest first, into chunks that are padded each for itself and are not too large.

    The cheapest cut, where another chunk costs as much as CHUNK_COST tokens of padding: for all sequences up to each change
    of the length, the best first sequence of the last chunk.
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
