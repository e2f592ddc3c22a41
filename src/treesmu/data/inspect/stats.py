"""Count what is in a Dataset: rows, labels and sizes by depth, kinds, functions, leaves, shared nodes and padding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treesmu.expr import EQUALITY, FUNCTIONS
from treesmu.expr.padding import Memo, count_padding

from ..corpus.dataset import Array, Dataset
from .text_table import Cell, TextTable

STRUCTURE_ROWS = 20_000  # of the sample for shared nodes and padding, which need the trees
_CHUNK = 50_000
_LEAVES = 24  # that are listed, the most frequent ones


def tables(data: Dataset) -> dict[str, TextTable]:
    """Return all tables of counts, by name."""
    tokens = count_tokens(data)
    return {"depth": _by_depth(data), "kind": _kinds(data), "functions": _functions(tokens), "leaves": _leaves(tokens)}


# -- depth, size, kind -------------------------------------------------------------------------------------------------


def _by_depth(data: Dataset) -> TextTable:
    depth, *structure = structure_of(data)
    rows: list[tuple[Cell, ...]] = []
    for d in np.unique(data.depth).tolist():
        here, sampled = data.depth == d, depth == d
        size, labels = data.size[here], data.label[here]
        nodes, distinct, padding = (float(column[sampled].sum()) for column in structure)
        sizes = (int(size.min()), int(np.median(size)), int(size.max()))
        rows.append((str(d), len(labels), float((labels == 1).mean()), *sizes, distinct / nodes, padding / nodes))
    header = ("depth", "rows", "correct", "smallest", "median", "largest", "distinct nodes", "padding")
    return TextTable(f"{len(data):,} equations by depth (size in nodes)", header, rows)


def _kinds(data: Dataset) -> TextTable:
    rows: list[tuple[Cell, ...]] = []
    for kind in np.unique(data.kind).tolist():
        labels = data.label[data.kind == kind]
        rows.append((kind or "(not known)", len(labels), float((labels == 1).mean())))
    return TextTable("Equations by kind", ("kind", "rows", "correct"), rows)


def structure_of(data: Dataset) -> tuple[Array, ...]:
    """Return depth, nodes, distinct sub-expressions and nodes of padding, (rows,) each, of a sample of rows of every depth."""
    depths = np.unique(data.depth)
    rng = np.random.default_rng(0)
    picked = [rng.permutation(np.flatnonzero(data.depth == d))[: max(1, STRUCTURE_ROWS // len(depths))] for d in depths]
    sample = data.take(np.sort(np.concatenate([np.empty(0, int), *picked])))
    memo: Memo = {}
    found = [(e.size, len(e.subexpressions()), count_padding(e, memo)) for e in sample.iter_expressions()]
    return sample.depth, *np.array(found, np.int64).reshape(-1, 3).T


# -- tokens ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TokenCounts:
    """How often each token occurs. Arrays are (tokens, 2): in incorrect and in correct equations."""

    tokens: list[str]
    nodes: Array
    rows: Array  # equations that have the token at least once

    def correct_share(self) -> Array:
        """Return the fraction of correct equations among those that have each token, (tokens,)."""
        return np.asarray(self.rows[:, 1] / np.maximum(1, self.rows.sum(axis=1)))


def count_tokens(data: Dataset) -> TokenCounts:
    """Return the counts of tokens in all rows with a known label, without making an Expr or a Python string for each row."""
    import pyarrow.compute as pc

    data = data.select(labels=(0, 1))
    found: dict[str, Array] = {}
    for start in range(0, len(data), _CHUNK):
        words = pc.split_pattern(data.prefix.slice(start, _CHUNK), " ")
        coded = words.flatten().dictionary_encode()
        row, code = (np.asarray(a) for a in (pc.list_parent_indices(words), coded.indices))
        label = data.label[start:][row]
        once = np.unique(row * len(coded.dictionary) + code, return_index=True)[1]
        counts = np.stack([_count(c, l, len(coded.dictionary)) for c, l in ((code, label), (code[once], label[once]))], axis=1)
        for token, count in zip(coded.dictionary.to_pylist(), counts, strict=True):
            found[token] = found.get(token, 0) + count
    both = np.array(list(found.values())).reshape(-1, 2, 2)
    return TokenCounts(list(found), both[:, 0], both[:, 1])


def _count(code: Array, label: Array, tokens: int) -> Array:
    return np.bincount(code * 2 + label, minlength=2 * tokens).reshape(tokens, 2)


def _functions(counts: TokenCounts) -> TextTable:
    names = [f.name for f in FUNCTIONS]
    missing = [name for name in names if name not in counts.tokens]
    title = f"Functions (absent: {', '.join(missing)})" if missing else "Functions (all occur)"
    return TextTable(title, _TOKEN_HEADER, _token_rows(counts, [name for name in names if name not in missing]))


def _leaves(counts: TokenCounts) -> TextTable:
    functions = {f.name for f in (*FUNCTIONS, EQUALITY)}
    order = np.argsort(-counts.nodes.sum(axis=1), kind="stable")
    leaves = [counts.tokens[k] for k in order if counts.tokens[k] not in functions]
    title = f"Leaves (the {_LEAVES} most frequent of {len(leaves)})" if len(leaves) > _LEAVES else "Leaves"
    return TextTable(title, _TOKEN_HEADER, _token_rows(counts, leaves[:_LEAVES]))


_TOKEN_HEADER = ("token", "nodes", "equations", "correct of these")


def _token_rows(counts: TokenCounts, tokens: list[str]) -> list[tuple[Any, ...]]:
    place = {token: k for k, token in enumerate(counts.tokens)}
    share = counts.correct_share()
    return [(t, int(counts.nodes[place[t]].sum()), int(counts.rows[place[t]].sum()), float(share[place[t]])) for t in tokens]
