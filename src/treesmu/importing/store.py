"""RowStore: parsed rows in a temporary file, in the order of the sources, so that memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from treesmu.data.corpus.columns import FILE_SCHEMA
from treesmu.parquet_files import local_path

from .columns import SPLITS
from .parsing import ParsedRows
from .splits import NOT_GIVEN

SCHEMA = pa.schema([*FILE_SCHEMA, ("source", pa.string()), ("line", pa.int64())])  # of an imported table
_STORED = pa.schema([field for field in SCHEMA if field.name not in ("chain", "split")])  # known once all rows are read
_IN_MEMORY = {"fingerprint": np.uint64, "label": np.int8, "depth": np.int16, "line": np.int64}
_ROW_GROUP = 50_000  # rows of a Parquet file that are written together


class RowStore:
    """Rows on disk; in memory only what assigning them to splits needs. A context manager that closes the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writer = pa.ipc.new_file(path, _STORED)
        self.chunks: dict[str, list[Any]] = {name: [] for name in (*_IN_MEMORY, "given")}

    def __enter__(self) -> RowStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.writer.close()
        self.path.unlink(missing_ok=True)

    def add(self, rows: ParsedRows, source: str, split: str) -> None:
        """Add the rows of a chunk. source: the name of their file; split: that of the file, for rows that name none."""
        if not rows.line:
            return
        values = {**vars(rows), "source": [source] * len(rows.line)}
        self.writer.write_batch(pa.record_batch([pa.array(values[f.name], f.type) for f in _STORED], schema=_STORED))
        for name, kind in _IN_MEMORY.items():
            self.chunks[name].append(np.array(values[name], kind))
        given = [one or split for one in rows.split]
        self.chunks["given"].append(np.array([SPLITS.index(s) if s else NOT_GIVEN for s in given], np.int8))

    def column(self, name: str) -> NDArray[Any]:
        """Return a column that is kept in memory: fingerprint, label, depth, line or given."""
        kind = _IN_MEMORY.get(name, np.int8)
        return np.concatenate([np.empty(0, kind), *self.chunks[name]])

    def write(self, path: Path, chosen: NDArray[np.bool_], chain: NDArray[Any], split: str) -> None:
        """Write the chosen rows to a Parquet file, in their order."""
        self.writer.close()
        with pq.ParquetWriter(local_path(path), SCHEMA, compression="zstd", compression_level=6) as file:
            for table in _grouped(self._tables(chosen, chain, split)):
                file.write_table(table)

    def _tables(self, chosen: NDArray[np.bool_], chain: NDArray[Any], split: str) -> Iterator[Any]:
        start = 0
        with pa.memory_map(str(self.path)) as file:
            reader = pa.ipc.open_file(file)
            for number in range(reader.num_record_batches):
                batch = reader.get_batch(number)
                here = slice(start, start + len(batch))
                start += len(batch)
                table = pa.Table.from_batches([batch])
                table = table.append_column("chain", pa.array(chain[here], pa.int64()))
                table = table.append_column("split", pa.array([split] * len(batch), pa.string()))
                yield table.filter(pa.array(chosen[here])).select(SCHEMA.names)


def _grouped(tables: Iterator[Any]) -> Iterator[Any]:
    """Yield tables of many rows, joined from small ones."""
    waiting: list[Any] = []
    for table in tables:
        waiting.append(table)
        if sum(len(t) for t in waiting) >= _ROW_GROUP:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)
