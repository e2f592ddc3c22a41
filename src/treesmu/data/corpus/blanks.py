"""Blanks and Candidates: read from a corpus, from the authors' JSON files or from a list of expressions.

A list may have the same tree twice: the authors' list has ``One`` and ``Integer 1``, which are one leaf for every model. The
answer to a blank is then the candidate with the same spelling, or else the first one with the same tree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.expr import BLANK, Expr, ParseError, TreePath, from_prefix, leaf, parse
from treesmu.expr.numeric.equal_classes import equal_classes
from treesmu.parquet_files import column_names, read_columns
from treesmu.text_files import content_lines, read_text

from .authors import Example, Skip, read_authors
from .manifest import check_file

Longs = NDArray[np.int64]
NOT_A_CANDIDATE = -1  # the number of an answer that is not among the candidates


@dataclass(frozen=True, eq=False)
class Candidates:
    """Fillers to be ranked for a blank; their order breaks ties."""

    source: str  # their name in errors: the path of their file
    fillers: tuple[Expr, ...]
    class_of: Longs  # (candidates,) candidates of one class have equal values
    count: Longs | None = None  # (candidates,) how often the fillers of the class occur in the training equations
    spelled: tuple[str, ...] | None = None  # their functions and values in the authors' files

    @classmethod
    def of(cls, fillers: Sequence[Expr], source: str = "memory") -> Candidates:
        """Make candidates of expressions; their classes come from their values."""
        _check_fillers(fillers, source)
        return cls(source, tuple(fillers), np.array(equal_classes(fillers), np.int64))

    @classmethod
    def read(cls, path: str | os.PathLike[str], skip: Skip | None = None) -> Candidates:
        """Read the candidates.parquet of a corpus (or its folder), the authors' JSON, or text with one expression per line.

        skip: called for every bad one of the authors' candidates, which is then left out; by default the first is an error.
        """
        file = File(path)
        if file.is_dir():
            file = file / "candidates.parquet"
        if file.suffix == ".json":
            return cls._of_authors(_flat(file, skip), str(file))
        if file.suffix != ".parquet":
            return cls.of(_read_lines(file), str(file))
        columns = _columns(file, ("prefix", "class"), ("train_count",))
        found = tuple(_tree(file, row, text) for row, text in enumerate(columns["prefix"]))
        _check_fillers(found, str(file))
        count = np.array(columns["train_count"], np.int64) if "train_count" in columns else None
        return cls(str(file), found, _numbered(columns["class"]), count)

    @classmethod
    def _of_authors(cls, examples: list[Example], source: str) -> Candidates:
        trees = tuple(x.equation for x in examples)
        if any(x.class_ is None for x in examples):
            raise DataError(f"{source}: not all examples have a 'class'; give the file of the candidates")
        _check_fillers(trees, source)
        return cls(source, trees, _numbered([x.class_ for x in examples]), None, tuple(x.spelled() for x in examples))

    def __len__(self) -> int:
        return len(self.fillers)

    def take(self, keep: Sequence[int]) -> Candidates:
        """Return the candidates with these numbers."""
        spelled = None if self.spelled is None else tuple(self.spelled[i] for i in keep)
        count = None if self.count is None else self.count[list(keep)]
        return Candidates(self.source, tuple(self.fillers[i] for i in keep), self.class_of[list(keep)], count, spelled)


@dataclass(frozen=True, eq=False)
class Blanks:
    """Complete equations, each with the path of the sub-expression that is asked for."""

    source: str
    equations: tuple[Expr, ...]
    paths: tuple[TreePath, ...]
    row: Longs  # the row in the file
    spelled: tuple[str, ...] | None = None  # the functions and values of the answers in the authors' files

    @classmethod
    def read(cls, path: str | os.PathLike[str], skip: Skip | None = None) -> Blanks:
        """Read the blanks.parquet of a corpus (or its folder), an authors' JSON file, or a folder of them (*_blank_*.json).

        skip: called for every bad example of the authors' files, which is then left out; by default the first one is an error.
        """
        file = File(path)
        if file.is_dir() and (several := sorted(file.glob("*_blank_*.json"))) and not (file / "blanks.parquet").exists():
            return cls._of_authors([example for one in several for example in _flat(one, skip)], str(file))
        if file.is_dir():
            file = file / "blanks.parquet"
        if file.suffix == ".json":
            return cls._of_authors(_flat(file, skip), str(file))
        if file.suffix != ".parquet":
            raise DataError(f"{file}: unknown kind of file; blanks are in a corpus folder, a .parquet or an authors' .json")
        columns = _columns(file, ("prefix", "path"))
        equations = tuple(_tree(file, row, text) for row, text in enumerate(columns["prefix"]))
        paths = tuple(_path(file, row, *pair) for row, pair in enumerate(zip(equations, columns["path"], strict=True)))
        return cls(str(file), equations, paths, np.arange(len(equations)))

    @classmethod
    def _of_authors(cls, examples: list[Example], source: str) -> Blanks:
        paths = tuple(x.blank for x in examples if x.blank is not None)
        if not examples:
            raise DataError(f"{source}: there is no example that can be read")
        if len(paths) < len(examples):
            raise DataError(f"{source}: not all examples have a blank ('blankNodeNum'); give a file of blanks")
        equations = tuple(x.equation for x in examples)
        return cls(source, equations, paths, np.arange(len(equations)), tuple(x.spelled() for x in examples))

    def __len__(self) -> int:
        return len(self.equations)

    @property
    def depth(self) -> Longs:
        """The depths of the equations, (blanks,)."""
        return np.array([e.depth for e in self.equations], np.int64)

    def select(self, depths: tuple[int, int] | None) -> Blanks:
        """Return the blanks of equations with a depth in ``depths`` (first, last); all if it is None."""
        if depths is None:
            return self
        return self.take(np.flatnonzero((depths[0] <= self.depth) & (self.depth <= depths[1])).tolist())

    def take(self, keep: Sequence[int]) -> Blanks:
        """Return the blanks with these numbers."""
        spelled = None if self.spelled is None else tuple(self.spelled[i] for i in keep)
        equations, paths = tuple(self.equations[i] for i in keep), tuple(self.paths[i] for i in keep)
        return Blanks(self.source, equations, paths, self.row[list(keep)], spelled)

    def questions(self) -> list[Expr]:
        """Return the equations with ``_`` in place of the answers."""
        return [e.replace(path, leaf(BLANK)) for e, path in zip(self.equations, self.paths, strict=True)]

    def answers(self, candidates: Candidates) -> Longs:
        """Return the number of the candidate that is the answer, NOT_A_CANDIDATE if none is, for each blank: (blanks,)."""
        by_tree = {e: i for i, e in reversed(list(enumerate(candidates.fillers)))}  # reversed: the first of identical trees
        by_spelling = {s: i for i, s in reversed(list(enumerate(candidates.spelled or ())))}
        spelled = self.spelled or [""] * len(self)
        found = (
            by_spelling.get(text, by_tree.get(e.at(path), NOT_A_CANDIDATE))
            for e, path, text in zip(self.equations, self.paths, spelled, strict=True)
        )
        return np.fromiter(found, np.int64, len(self))


def holds_blanks(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is for Blanks.read: a table or the authors' file of blanks or candidates, or a folder of blanks."""
    file = File(path)
    if file.is_dir():
        return (file / "blanks.parquet").exists() or any(file.glob("*_blank_*.json"))
    if not file.is_file():
        return False
    if file.suffix == ".parquet":
        return bool({"path", "train_count"} & (column_names(file) or set()))
    return file.suffix == ".json" and re.search(r'"(blankNodeNum|class)"', read_text(file)) is not None


def path_of_blank(question: Expr) -> TreePath:
    """Return the path of the only blank in an equation."""
    if not question.is_equation:
        raise DataError(f"{question} is not an equation: write 'left = right' with {BLANK} for the missing part")
    if not question.has_blank:
        raise DataError(f"there is no blank in {question}: write {BLANK} for the missing part, as in tan(x) = sin(x)/{BLANK}")
    path: list[int] = []
    here = question
    while not here.is_leaf:
        with_blank = [i for i, child in enumerate(here.children) if child.has_blank]
        if len(with_blank) > 1:
            raise DataError(f"there are several blanks in {question}: fill all but one and ask again")
        path.append(with_blank[0])
        here = here.children[path[-1]]
    return tuple(path)


def _check_fillers(found: Sequence[Expr], source: str) -> None:
    if not found:
        raise DataError(f"{source}: no candidates; give at least one expression")
    if wrong := next((e for e in found if e.is_equation or e.has_blank), None):
        what = "an equation" if wrong.is_equation else f"an expression with {BLANK}"
        raise DataError(f"{source}: {wrong} is {what}, and cannot fill a blank; leave it out")


def _flat(file: File, skip: Skip | None = None) -> list[Example]:
    return [example for group in read_authors(file, skip) for example in group]


def _numbered(names: Sequence[Any]) -> Longs:
    """Return the number of each class, counted from 0 by first occurrence."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)


def _columns(file: File, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    if file.exists():
        check_file(file)
    return read_columns(file, needed, optional)


def _tree(file: File, row: int, text: Any) -> Expr:
    try:
        return from_prefix(text.split())
    except (ValueError, AttributeError) as error:
        raise DataError(f"{file}, row {row}: {error}") from error


def _path(file: File, row: int, e: Expr, text: Any) -> TreePath:
    """Return a path such as 0.1.0, which must lead to a part of the equation."""
    try:
        path = tuple(int(i) for i in text.split("."))
        e.at(path)
        return path
    except (ValueError, IndexError, AttributeError) as error:
        raise DataError(f"{file}, row {row}: {text!r} is not a path to a part of {e}") from error


def _read_lines(file: File) -> list[Expr]:
    """Read one expression per line; empty lines and lines that begin with # are skipped."""
    found = list[Expr]()
    for number, line in content_lines(read_text(file)):
        try:
            found.append(parse(line))
        except ParseError as error:
            raise DataError(f"{file}, line {number}: {error.message}: {line.strip()[:100]}") from error
    return found
