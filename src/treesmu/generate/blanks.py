"""Make and write the questions for completion: equations with a blank, candidates, and how often each occurs in training."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from itertools import islice, repeat
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from treesmu.data.corpus.new_blanks import paths_of_candidates
from treesmu.expr import BLANK, Expr, TreePath, from_prefix, leaf
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers, equal_classes
from treesmu.parquet_files import local_path

from .columns import EquationColumns, SizedColumns, TextColumns

_BLANKS = {
    **dict.fromkeys(("prefix", "infix", "question", "path", "answer"), pa.string()),
    "height": pa.int8(),
    "depth": pa.int16(),
    "size": pa.int32(),
    "chain": pa.int64(),
}
_CANDIDATES = {"prefix": pa.string(), "infix": pa.string(), "height": pa.int8(), "class": pa.int32(), "train_count": pa.int64()}
_CHUNK = 20_000  # equations counted together


@dataclass
class CandidateColumns(TextColumns):
    """The columns of the table of candidates."""

    height: list[int] = field(default_factory=list)
    class_id: list[int] = field(default_factory=list)  # numbered by first occurrence


@dataclass
class BlankColumns(SizedColumns):
    """The columns of the table of equations with a blank."""

    question: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)
    height: list[int] = field(default_factory=list)
    chain: list[int] = field(default_factory=list)


def write_questions(
    folder: Path, test: EquationColumns, train: Iterable[str], per_depth: int, depths: tuple[int, int], rng: Random
) -> None:
    """Write blanks.parquet, of test equations, and candidates.parquet, with counts in the training equations ``train``."""
    candidates = make_candidates()
    columns = {**asdict(candidates), "class": candidates.class_id, "train_count": train_counts(train, candidates)}
    blanks = make_blanks(test, candidates, per_depth, depths, rng)
    write_table(folder / "candidates.parquet", pa.table({k: pa.array(columns[k], kind) for k, kind in _CANDIDATES.items()}))
    write_table(folder / "blanks.parquet", pa.table({k: pa.array(getattr(blanks, k), kind) for k, kind in _BLANKS.items()}))


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table of a corpus as Parquet."""
    pq.write_table(table, local_path(path), compression="zstd", compression_level=6)


# -- candidates --------------------------------------------------------------------------------------------------------


def make_candidates() -> CandidateColumns:
    """Return every leaf, unary function of a leaf and binary function of two leaves, with their equal classes."""
    found = enumerate_fillers(leaf(token) for token in FILLER_LEAVES)
    return CandidateColumns(
        prefix=[_prefix(e) for e in found],
        infix=[str(e) for e in found],
        height=[e.depth for e in found],
        class_id=equal_classes(found),
    )


def _prefix(e: Expr) -> str:
    return " ".join(e.prefix())


# -- frequencies in training --------------------------------------------------------------------------------------------


def train_counts(prefixes: Iterable[str], candidates: CandidateColumns) -> list[int]:
    """Return for each candidate how often the candidates of its class occur as sub-trees of the equations.

    In prefix order a function is directly followed by its arguments if they are leaves, so windows of three tokens contain
    everything that is counted. Equations can be concatenated: no function has its arguments in the next equation.
    """
    fillers = [prefix.split() for prefix in candidates.prefix]
    index = {token: i for i, token in enumerate(dict.fromkeys(token for filler in fillers for token in filler))}
    other = len(index)  # every token that occurs in no candidate
    windows = np.zeros((other + 1,) * 3, np.int64)
    rows = iter(prefixes)
    while chunk := list(islice(rows, _CHUNK)):
        tokens = " ".join(chunk).split()
        ids = np.fromiter(map(index.get, tokens, repeat(other)), np.intp, len(tokens))
        ids = np.append(ids, [other, other])
        codes = np.ravel_multi_index((ids[:-2], ids[1:-1], ids[2:]), windows.shape)
        windows += np.bincount(codes, minlength=windows.size).reshape(windows.shape)
    totals = [0] * (max(candidates.class_id, default=-1) + 1)
    for filler, class_id in zip(fillers, candidates.class_id, strict=True):
        totals[class_id] += int(windows[tuple(index[token] for token in filler)].sum())
    return [totals[class_id] for class_id in candidates.class_id]


# -- blanks ------------------------------------------------------------------------------------------------------------


def make_blanks(
    rows: EquationColumns, candidates: CandidateColumns, per_depth: int, depths: tuple[int, int], rng: Random
) -> BlankColumns:
    """Put blanks into random correct equations of these depths (both included), at most ``per_depth`` at each depth."""
    known = {from_prefix(prefix.split()) for prefix in candidates.prefix}
    blanks = BlankColumns()
    for depth in range(depths[0], depths[1] + 1):
        pool = [i for i in range(len(rows)) if rows.depth[i] == depth and rows.label[i] == 1]
        wanted = len(blanks) + per_depth
        for i in rng.sample(pool, len(pool)):
            if len(blanks) == wanted:
                break
            e = from_prefix(rows.prefix[i].split())
            if paths := paths_of_candidates(e, known):
                _append(blanks, rows, i, e, rng.choice(paths))
    return blanks


def _append(blanks: BlankColumns, rows: EquationColumns, i: int, e: Expr, path: TreePath) -> None:
    answer = e.at(path)
    blanks.prefix.append(rows.prefix[i])
    blanks.infix.append(rows.infix[i])
    blanks.question.append(str(e.replace(path, leaf(BLANK))))
    blanks.path.append(".".join(map(str, path)))
    blanks.answer.append(_prefix(answer))
    blanks.height.append(answer.depth)
    blanks.depth.append(e.depth)
    blanks.size.append(e.size)
    blanks.chain.append(rows.chain[i])
