"""Counts agree with those made by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from corpora import ROWS, equations, write_corpus
from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect import stats
from treesmu.data.inspect.stats import count_tokens, tables


def test_rows_are_counted_by_depth_and_kind(tmp_path: Path) -> None:
    found = tables(Dataset.read(write_corpus(tmp_path)))
    assert [(r["depth"], r["rows"], r["correct"]) for r in found["depth"].records()] == [("2", 4, 0.5), ("4", 4, 0.5)]
    assert {r["kind"]: (r["rows"], r["correct"]) for r in found["kind"].records()} == {
        "rewrite": (3, 1.0),
        "near-miss": (2, 0.0),
        "mutation": (1, 0.0),
        "numeric": (2, 0.5),
    }
    sizes = sorted(e.size for e in equations() if e.depth == 4)
    deep = found["depth"].records()[1]
    assert (deep["smallest"], deep["largest"]) == (sizes[0], sizes[-1])
    distinct = sum(len(e.subexpressions()) for e in equations() if e.depth == 4)
    assert deep["distinct nodes"] == pytest.approx(distinct / sum(sizes))


def test_rows_are_grouped_by_their_stored_depth_though_it_be_wrong(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path))
    found = tables(replace(data, depth=np.where(data.depth == 4, 9, data.depth)))["depth"].records()
    right = tables(data)["depth"].records()
    assert found == [right[0], {**right[1], "depth": "9"}]


def test_every_depth_is_sampled_however_many_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "STRUCTURE_ROWS", 1)
    assert [row["depth"] for row in tables(Dataset.read(write_corpus(tmp_path)))["depth"].records()] == ["2", "4"]


def test_tokens_are_counted_by_label_in_any_number_of_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Dataset.read(write_corpus(tmp_path))
    whole = count_tokens(data)
    monkeypatch.setattr(stats, "_CHUNK", 3)
    for counts in (whole, count_tokens(data)):
        for token in ("Add", "sin", "x", "1"):
            k = counts.tokens.index(token)
            for label in (0, 1):
                trees = [e.prefix() for e, (_, l, _) in zip(equations(), ROWS, strict=True) if l == label]
                assert counts.nodes[k, label] == sum(tokens.count(token) for tokens in trees)
                assert counts.rows[k, label] == sum(token in tokens for tokens in trees)


def test_missing_functions_are_named(tmp_path: Path) -> None:
    functions = tables(Dataset.read(write_corpus(tmp_path)))["functions"]
    assert "absent: log, exp" in functions.title
    assert {row[0] for row in functions.rows} == {"Add", "Mul", "Pow", "sin", "cos", "tan"}
