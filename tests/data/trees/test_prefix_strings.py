"""Prefix strings are cut into pieces of few bytes, and split alike by Python and by pyarrow."""

from __future__ import annotations

import pyarrow as pa

from treesmu.data.trees.prefix_strings import pieces_of, split_tokens


def test_pieces_hold_every_row_once_and_few_bytes() -> None:
    rows = ["a" * n for n in (3, 1, 50, 0, 2, 2, 2, 9)]
    pieces = list(pieces_of(rows, 10))
    assert [row for _, piece in pieces for row in piece.to_pylist()] == rows
    assert [first for first, _ in pieces] == [0, 2, 3, 7]
    assert all(sum(len(row) + 1 for row in piece.to_pylist()) <= 10 or len(piece) == 1 for _, piece in pieces)


def test_few_strings_are_split_as_many_are() -> None:
    rows = ["Add x 1", "x", "sin  x", "", "Mul x Add x 2.50"]
    few, many = split_tokens(rows), split_tokens(pa.array(rows))
    assert few[0] == many[0]
    assert few[1].tolist() == many[1].tolist()
    assert few[2].tolist() == many[2].tolist()
    assert [type(piece) for _, piece in pieces_of(rows)] == [list]
    assert all(not isinstance(piece, list) for _, piece in pieces_of(rows * 10_000))
