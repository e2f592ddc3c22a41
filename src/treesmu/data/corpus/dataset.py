"""Dataset: labelled equations in memory, as columns; Expr objects are made on demand, so a million rows are a few arrays."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import Expr, from_prefix

Array = NDArray[Any]

NO_CHAIN = -1  # the chain of an equation that belongs to none, as in the authors' files
_CHUNK = 10_000  # rows that are Python strings at the same time


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of equations; the columns are those of docs/reference/corpus.md, all of the same length."""

    source: str  # its name in errors: the path that it was read from
    prefix: Any  # pyarrow large_string array: tokens separated by a space
    label: Array  # int8: 1 correct, 0 incorrect, -1 not known
    depth: Array  # int16
    size: Array  # int32
    chain: Array  # int64, NO_CHAIN where there is none
    kind: Array  # str, "" where it is not known
    split: Array  # str, "" where it is not known
    row: Array  # int64: the row in the file, which select and sample keep
    infix: Any = None  # pyarrow large_string array, or None: derived on demand

    @classmethod
    def read(cls, path: str | os.PathLike[str], split: str = "test", *, with_infix: bool = False) -> Dataset:
        """Read a split of a corpus folder (``"all"``: every split), or a file: Parquet, JSONL, CSV, TSV, the authors' JSON.

        A file needs ``label``, and ``prefix`` or ``infix``; other missing columns are derived.
        """
        from .table_reader import read_table

        return cls._from_table(read_table(path, split, with_infix), os.fspath(path))

    @classmethod
    def of(cls, equations: Iterable[Expr], labels: Iterable[int | bool], kind: str = "", split: str = "") -> Dataset:
        """Make a data set of equations in memory."""
        from .columns import fill_columns, table_from_exprs

        return cls._from_table(fill_columns(table_from_exprs(equations, labels, kind, split), "memory"), "memory")

    @classmethod
    def _from_table(cls, table: Any, source: str) -> Dataset:
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        for name in set(columns) - {"prefix", "infix"}:
            columns[name] = columns[name].to_numpy(zero_copy_only=False)
        for name in ("kind", "split"):
            columns[name] = columns[name].astype(str)
        return cls(source, **columns)

    def __len__(self) -> int:
        return len(self.label)

    # -- selecting rows ------------------------------------------------------------------------------------------------

    def take(self, places: Array) -> Dataset:
        """Return the rows at these places, or where a mask is true."""
        if places.dtype == bool:
            places = np.flatnonzero(places)
        columns = {f.name: getattr(self, f.name) for f in fields(self)}
        taken = {name: column.take(places) for name, column in columns.items() if name != "source" and column is not None}
        return Dataset(self.source, **taken)

    def select(
        self,
        depths: tuple[int, int] | None = None,
        labels: Collection[int] | None = None,
        kinds: Collection[str] | None = None,
    ) -> Dataset:
        """Return the rows with a depth in ``depths`` (first, last), one of the labels and one of the kinds."""
        keep = np.ones(len(self), bool)
        if depths is not None:
            keep &= (depths[0] <= self.depth) & (self.depth <= depths[1])
        if labels is not None:
            keep &= np.isin(self.label, list(labels))
        if kinds is not None:
            keep &= np.isin(self.kind, list(kinds))
        return self if keep.all() else self.take(keep)

    def sample(self, amount: int | float, rng: np.random.Generator) -> Dataset:
        """Return random rows in their order: ``amount`` is a number of rows (an int, at most all) or a share (a float)."""
        if isinstance(amount, float) and not 0 <= amount <= 1:
            raise ValueError(f"a share of the rows is from 0.0 to 1.0, not {amount}; give a number of rows as an int")
        count = round(amount * len(self)) if isinstance(amount, float) else min(amount, len(self))
        return self if count == len(self) else self.take(np.sort(rng.permutation(len(self))[:count]))

    def extended(self, other: Dataset) -> Dataset:
        """Return these rows followed by those of another data set, under the name of this one; without infix notation."""
        import pyarrow as pa

        names = [f.name for f in fields(self) if f.name not in ("source", "prefix", "infix")]
        columns = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names}
        return Dataset(self.source, pa.concat_arrays([self.prefix, other.prefix]), **columns)

    # -- expressions -------------------------------------------------------------------------------------------------

    def expressions(self) -> list[Expr]:
        """Return all equations."""
        return list(self.iter_expressions())

    def iter_expressions(self) -> Iterator[Expr]:
        """Yield the equations; each is made when it is asked for."""
        for start in range(0, len(self), _CHUNK):
            for place, text in enumerate(self.prefix.slice(start, _CHUNK).to_pylist(), start):
                try:
                    yield from_prefix(text.split())
                except ValueError as error:
                    raise DataError(f"{self.where(place)}: {error}") from error

    def texts(self) -> list[str]:
        """Return the equations in infix notation."""
        return [str(e) for e in self.iter_expressions()] if self.infix is None else list(self.infix.to_pylist())

    def where(self, place: int) -> str:
        """Return the name of a row in messages: its file and its number there."""
        split = f"{self.split[place]} " if os.path.isdir(self.source) else ""
        return f"{self.source}, {split}row {self.row[place]}"

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write Parquet, JSONL, CSV, TSV or the authors' JSON, by the suffix. The file is replaced completely or not at all.

        The authors' JSON has equations and labels only. Variables have numbers there; an equation with one that has none, such
        as ``theta``, is written with x, y, z, ... in the order of first occurrence.
        """
        from .columns import file_format
        from .table_writer import write_authors_json, write_tables

        path = Path(path)
        if file_format(path) == ".json":
            write_authors_json(path, self.iter_expressions(), self.label.tolist())
        else:
            write_tables(path, self._tables())

    def _tables(self) -> Iterator[Any]:
        """Yield pyarrow tables of some rows at a time, with the columns of a file."""
        import pyarrow as pa

        from .columns import FILE_SCHEMA

        names = FILE_SCHEMA.names
        for start in range(0, len(self), _CHUNK):
            part = self.take(np.arange(start, min(start + _CHUNK, len(self))))
            columns = {name: pa.array(getattr(part, name)) for name in names if name != "infix"}
            yield pa.table({**columns, "infix": part.texts()}).select(names).cast(FILE_SCHEMA)
