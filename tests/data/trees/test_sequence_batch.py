"""Sequences are divided into chunks with the least cost of padding and of chunks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treesmu.data import Vocab
from treesmu.data.trees.sequence_batch import CHUNK_COST, CHUNK_TOKENS, cut_chunks, mask_of, token_names


@given(st.lists(st.integers(1, 300), max_size=60))
def test_chunks_are_all_sequences_cut_as_cheaply_as_can_be(given_lengths: list[int]) -> None:
    lengths = np.array(sorted(given_lengths, reverse=True), np.int64)
    chunks = cut_chunks(lengths)
    assert [i for chunk in chunks for i in range(chunk.start, chunk.stop)] == list(range(len(lengths)))
    sizes = [(chunk.stop - chunk.start) * int(lengths[chunk.start]) for chunk in chunks]
    assert max(sizes, default=0) <= CHUNK_TOKENS
    best = [0]  # the cost of the first i sequences, by trying all last chunks
    for stop in range(1, len(lengths) + 1):
        best.append(min(best[i] + (stop - i) * int(lengths[i]) + CHUNK_COST for i in range(stop)))
    if sum(lengths) < CHUNK_TOKENS / 2:  # or some were cut only because they are too large
        assert sum(sizes) + CHUNK_COST * len(sizes) == best[-1]


def test_chunks_are_not_too_large() -> None:
    chunks = cut_chunks(np.full(1_000, 100))
    assert {chunk.stop - chunk.start for chunk in chunks[:-1]} == {CHUNK_TOKENS // 100}
    assert cut_chunks(np.array([CHUNK_TOKENS + 1, CHUNK_TOKENS + 1])) == (slice(0, 1), slice(1, 2))


def test_the_mask_is_false_where_there_is_padding() -> None:
    assert mask_of(np.array([3, 1])).tolist() == [[True, True, True], [True, False, False]]
    assert mask_of(np.array([], np.int64)).shape == (0, 0)


def test_signs_are_tokens_of_the_form_with_parentheses_only() -> None:
    vocab = Vocab(("f",), (1,), ("a", "b"))
    assert token_names(vocab, "tree") == ("f", "a", "b")
    assert token_names(vocab, "parentheses") == ("f", "a", "b", "(", ",", ")")
