"""Split prefix strings into pieces of bounded size, and pieces into tokens as integer codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

PIECE_BYTES = 1 << 21  # of prefix strings, about 10,000 equations: their arrays fit into the cache
FEW_BYTES = 1 << 16  # in a list: Python splits them in less time than it takes to import pyarrow


def pieces_of(texts: Any, piece_bytes: int = PIECE_BYTES) -> Iterator[tuple[int, Any]]:
    """Yield pieces of a pyarrow array (or a list) of strings, each with the number of its first row."""
    if isinstance(texts, list) and texts and _are_few(texts, min(piece_bytes, FEW_BYTES)):
        yield 0, texts
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(texts, pa.Array | pa.ChunkedArray):
        texts = pa.array(texts, pa.string())
    if not (pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)):
        texts = texts.cast(pa.large_string())
    if texts.null_count:
        raise DataError(f"row {pc.index(texts.is_null(), True).as_py()}: nothing there (null)")
    ends = np.cumsum(pc.binary_length(texts).to_numpy().astype(np.int64) + 1)
    start = 0
    while start < len(texts):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + piece_bytes, side="right")))
        piece = texts.slice(start, stop - start)
        yield start, piece.combine_chunks() if isinstance(piece, pa.ChunkedArray) else piece
        start = stop


def _are_few(texts: list[Any], most: int) -> bool:
    return all(type(text) is str for text in texts) and sum(map(len, texts)) + len(texts) <= most


def split_tokens(texts: Any) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Return the distinct tokens of a piece, the code of every token (tokens,), and where rows start (rows + 1,).

    A code is a place in the list of distinct tokens.
    """
    if isinstance(texts, list):
        split = [text.split(" ") for text in texts]
        number: dict[str, int] = {}
        codes = [number.setdefault(token, len(number)) for row in split for token in row]
        return list(number), np.array(codes, np.int32), np.cumsum([0, *map(len, split)])
    import pyarrow.compute as pc

    rows = pc.split_pattern(texts, " ")
    words = rows.values.dictionary_encode()
    return words.dictionary.to_pylist(), words.indices.to_numpy(), rows.offsets.to_numpy().astype(np.int64)
