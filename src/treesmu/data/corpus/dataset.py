"""Dataset: labelled equations in memory, as columns. A million rows are a few arrays; an Expr is made when one is asked for."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import Expr, from_prefix

Array = NDArray[Any]

NO_CHAIN = -1  # the chain of an equation that comes from none, as in the authors' files
_CHUNK = 10_000  # rows that are Python strings at the same time


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of equations; the columns are those of docs/corpus.md, all of the same length."""

    source: str  # what errors call it
    prefix: Any  # pyarrow large_string array: tokens separated by a space
    label: Array  # int8: 1 correct, 0 incorrect, -1 not known
    depth: Array  # int16
    size: Array  # int32
    chain: Array  # int64, NO_CHAIN where there is none
    kind: Array  # str, "" where it is not known
    split: Array  # str, likewise
    row: Array  # int64: the place in the file, kept by select and sample
    infix: Any = None  # pyarrow large_string array, or None: derived when it is needed

    @classmethod
    def read(cls, path: str | os.PathLike[str], split: str = "test", *, with_infix: bool = False) -> Dataset:
        """A split of a corpus folder (``"all"``: every split), a Parquet file, a JSONL file or the authors' JSON.

        A file needs ``prefix`` or ``infix``, and ``label``; what else is missing is derived.
        """
        from . import formats

        return cls._of_table(formats.read(path, split, with_infix), os.fspath(path))

    @classmethod
    def of(cls, equations: Iterable[Expr], labels: Iterable[int | bool], kind: str = "", split: str = "") -> Dataset:
        """Equations that are already in memory."""
        from . import formats

        return cls._of_table(formats.complete(formats.table_of(equations, labels, kind, split), "memory"), "memory")

    @classmethod
    def _of_table(cls, table: Any, source: str) -> Dataset:
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        for name in set(columns) - {"prefix", "infix"}:
            columns[name] = columns[name].to_numpy(zero_copy_only=False)
        for name in ("kind", "split"):
            columns[name] = columns[name].astype(str)
        return cls(source, **columns)

    def __len__(self) -> int:
        return len(self.label)

    # -- fewer rows ----------------------------------------------------------------------------------------------------

    def take(self, places: Array) -> Dataset:
        """The rows at these places, or where a mask is true."""
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
        """The rows with a depth from the first to the last of ``depths``, one of the labels and one of the kinds."""
        keep = np.ones(len(self), bool)
        if depths is not None:
            keep &= (depths[0] <= self.depth) & (self.depth <= depths[1])
        if labels is not None:
            keep &= np.isin(self.label, list(labels))
        if kinds is not None:
            keep &= np.isin(self.kind, list(kinds))
        return self if keep.all() else self.take(keep)

    def sample(self, amount: int | float, rng: np.random.Generator) -> Dataset:
        """Some rows by chance, in their order: so many if ``amount`` is an int (at most all), that share if it is a float."""
        if isinstance(amount, float) and not 0 <= amount <= 1:
            raise ValueError(f"a share of the rows is from 0.0 to 1.0, not {amount}; a number of rows is an int")
        count = round(amount * len(self)) if isinstance(amount, float) else min(amount, len(self))
        return self if count == len(self) else self.take(np.sort(rng.permutation(len(self))[:count]))

    # -- expressions -------------------------------------------------------------------------------------------------

    def expressions(self) -> list[Expr]:
        return list(self.iter_expressions())

    def iter_expressions(self) -> Iterator[Expr]:
        """The equations, each made when its turn comes."""
        for start in range(0, len(self), _CHUNK):
            for place, text in enumerate(self.prefix.slice(start, _CHUNK).to_pylist(), start):
                try:
                    yield from_prefix(text.split())
                except ValueError as error:
                    raise DataError(f"{self.where(place)}: {error}") from error

    def texts(self) -> list[str]:
        """The equations as people write them."""
        return [str(e) for e in self.iter_expressions()] if self.infix is None else list(self.infix.to_pylist())

    def where(self, place: int) -> str:
        """What a message calls a row."""
        split = f"{self.split[place]} " if os.path.isdir(self.source) else ""
        return f"{self.source}, {split}row {self.row[place]}"

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, path: str | os.PathLike[str]) -> None:
        """To Parquet, JSONL or the authors' JSON by the suffix of the path, wholly or not at all.

        The authors' JSON has equations and labels only; a variable that has no number there (``theta``) makes its equation
        be written with x, y, z, ... in the order of first occurrence.
        """
        from . import formats

        formats.write(self, path)
