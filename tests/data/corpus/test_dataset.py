"""A data set selects and samples rows, which keep their names for messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import ROWS, equations, write_corpus
from treesmu.data import DataError
from treesmu.data.corpus.dataset import Dataset
from treesmu.expr import parse


def test_select_keeps_what_all_filters_allow(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path))
    found = data.select(depths=(2, 3), labels=[0], kinds=["near-miss", "numeric"])
    expected = [
        row
        for row, (e, (_, label, kind)) in enumerate(zip(equations(), ROWS, strict=True))
        if 2 <= e.depth <= 3 and label == 0 and kind in ("near-miss", "numeric")
    ]
    assert expected
    assert found.row.tolist() == expected
    assert found.expressions() == [equations()[row] for row in expected]
    assert len(data.select(depths=(30, 40))) == 0


def test_a_sample_is_in_order_and_the_same_for_the_same_seed(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path), split="train")
    rows = data.sample(3, np.random.default_rng(5)).row.tolist()
    assert (len(rows), rows) == (3, sorted(rows))
    assert data.sample(3, np.random.default_rng(5)).row.tolist() == rows
    assert len(data.sample(0.5, np.random.default_rng(5))) == len(ROWS) // 2
    assert len(data.sample(10**9, np.random.default_rng(5))) == len(ROWS)
    with pytest.raises(ValueError, match=r"from 0\.0 to 1\.0"):
        data.sample(2.0, np.random.default_rng(5))


def test_a_wrong_tree_is_named_when_its_turn_comes(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    columns = {"prefix": ["Equality x x", "Equality sni x x"], "label": [1, 1], "depth": [1, 2], "size": [3, 4]}
    pq.write_table(pa.table(columns), path)
    data = Dataset.read(path)
    assert next(data.iter_expressions()) is parse("x = x")
    with pytest.raises(DataError, match=r"bad\.parquet, row 1: unknown function 'sni'"):
        data.select(depths=(2, 2)).expressions()
