"""TreeTable: rows of trees as flat arrays in preorder, with their answers, splits and depths; and how it is filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

Array = NDArray[Any]

PAIR = -1  # the label of the node above two trees
SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, eq=False)
class TreeTable:
    """Rows of trees, or of pairs of trees. Nodes of a row are consecutive, parents before children, from left to right."""

    source: str  # its name in errors: the path that it was read from
    labels: tuple[str, ...]  # all labels of nodes
    token: Array  # (nodes,) int32: a place in labels, or PAIR
    arity: Array  # (nodes,) int32: the number of children
    starts: Array  # (rows + 1,) int64: the first node of each row
    answer: Array  # (rows,) objects: a class, a number, None if there is none
    tag: Array | None  # (nodes,) objects: the class of a node, None if it has none; None for rows without tags
    depth: Array  # (rows,) int32: as the file says, or that of the tree: 0 for a leaf, the deeper one of two trees
    split: Array  # (rows,) str, "" where the file says nothing
    row: Array  # (rows,) int64: the line or row of the file
    origin: Array  # (rows,) objects: what row counts, such as "a.jsonl, line"; for errors

    def __len__(self) -> int:
        return len(self.row)

    @property
    def size(self) -> Array:
        """The number of nodes of each row, (rows,)."""
        return np.diff(self.starts)

    @property
    def is_pairs(self) -> bool:
        """Whether every row has two trees."""
        return bool(len(self.token)) and bool(self.token[0] == PAIR)

    def take(self, places: Array) -> TreeTable:
        """Return the rows at these places, or where a mask is true."""
        if places.dtype == bool:
            places = np.flatnonzero(places)
        size = self.size[places]
        starts = np.append(0, np.cumsum(size))
        nodes = np.arange(starts[-1]) + np.repeat(self.starts[places] - starts[:-1], size)
        of_rows = {name: getattr(self, name)[places] for name in ("answer", "depth", "split", "row", "origin")}
        tag = None if self.tag is None else self.tag[nodes]
        return replace(self, token=self.token[nodes], arity=self.arity[nodes], starts=starts, tag=tag, **of_rows)

    def select(self, depths: tuple[int, int] | None) -> TreeTable:
        """Return the rows with a depth in ``depths`` (first, last)."""
        if depths is None:
            return self
        return self.take((depths[0] <= self.depth) & (self.depth <= depths[1]))

    def keys(self) -> Iterator[bytes]:
        """Yield what distinguishes the tree or the pair of a row from others of the table, without its answer."""
        nodes = np.stack([self.token, self.arity], axis=1).astype(np.int32)
        return (nodes[start:stop].tobytes() for start, stop in pairwise(self.starts.tolist()))

    def where(self, place: int) -> str:
        """Return the name of a row in messages."""
        return f"{self.origin[place]} {self.row[place]}"


@dataclass
class _Row:
    answer: Any
    depth: int
    split: str
    row: int


class TableBuilder:
    """Fills a table. Trees are nested lists or tuples, or texts: ``(MAX 2 (MIN 4 7))``. unit: what row numbers count."""

    def __init__(self, source: str, unit: str = "row") -> None:
        self.source, self.unit = source, unit
        self.place: dict[str, int] = {}  # of each label
        self.token: list[int] = []
        self.arity: list[int] = []
        self.tag: list[Any] = []
        self.starts = [0]
        self.rows: list[_Row] = []

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def add_node(self, label: str, children: int, tag: Any = None) -> int:
        """Add a node after its parent and left siblings; return its place, by which the number of children can be set."""
        if label not in self.place:
            check_text(label)
            self.place[label] = len(self.place)
        self.token.append(self.place[label])
        self.arity.append(children)
        self.tag.append(tag)
        return len(self.token) - 1

    def begin_pair(self) -> None:
        """Begin a row of two trees."""
        self.token.append(PAIR)
        self.arity.append(2)
        self.tag.append(None)

    def finish_row(self, answer: Any, depth: int, split: str, row: int) -> None:
        """End a row: all nodes since the last one belong to it."""
        self.starts.append(len(self.token))
        self.rows.append(_Row(answer, depth, split, row))

    # -- the table -------------------------------------------------------------------------------------------------------

    def table(self) -> TreeTable:
        """Return all rows. Rows of one tree and of two in one table are a DataError."""
        first = np.array(self.token, np.int32)[np.array(self.starts[:-1], np.int64)]
        if len(first) and ((first == PAIR) != (first[0] == PAIR)).any():
            raise DataError(f"{self.source}: some rows have one tree and others two; put them into two files")
        return TreeTable(
            self.source,
            labels=tuple(self.place),
            token=np.array(self.token, np.int32),
            arity=np.array(self.arity, np.int32),
            starts=np.array(self.starts, np.int64),
            answer=objects([row.answer for row in self.rows]),
            tag=objects(self.tag) if any(tag is not None for tag in self.tag) else None,
            depth=np.array([row.depth for row in self.rows], np.int32),
            split=np.array([row.split for row in self.rows], np.str_),
            row=np.array([row.row for row in self.rows], np.int64),
            origin=objects([f"{self.source}, {self.unit}"] * len(self.rows)),
        )


def check_text(text: str) -> None:
    """Raise a DataError for text that no file can hold: with half of a pair of surrogates, as JSON's escapes can make it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"{ord(text[error.start]):04x}"
        raise DataError(f"the text {text!a:.60} has half a character, \\u{half}; write the whole character") from None


def objects(values: Sequence[Any]) -> Array:
    """Return an array of Python objects."""
    found = np.empty(len(values), object)
    found[:] = list(values)
    return found


def joined(tables: Sequence[TreeTable], source: str) -> TreeTable:
    """Return the rows of several tables, one after the other."""
    labels = tuple(dict.fromkeys(label for table in tables for label in table.labels))
    place = {label: i for i, label in enumerate(labels)}
    tokens = []
    for table in tables:
        new = np.array([*(place[label] for label in table.labels), PAIR], np.int32)  # PAIR, -1, stays the last entry
        tokens.append(new[table.token])
    if len({table.is_pairs for table in tables if len(table)}) > 1:
        raise DataError(f"{source}: some files have one tree per row and others two; train on one kind")
    first = np.cumsum([0, *(len(table.token) for table in tables)])
    starts = [table.starts[:-1] + start for table, start in zip(tables, first, strict=False)]
    has_tags = any(table.tag is not None for table in tables)
    tags = [objects([None] * len(table.token)) if table.tag is None else table.tag for table in tables]
    names = ("answer", "depth", "split", "row", "origin", "arity")
    columns = {name: np.concatenate([getattr(table, name) for table in tables]) for name in names}
    return TreeTable(
        source,
        labels,
        np.concatenate(tokens),
        starts=np.append(np.concatenate(starts), first[-1]),
        tag=np.concatenate(tags) if has_tags else None,
        **columns,
    )
