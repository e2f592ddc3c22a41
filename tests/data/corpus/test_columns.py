"""Columns that a file leaves out are derived, and every column has its documented type."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import equations, write_corpus, write_jsonl
from treesmu.data import DataError
from treesmu.data.corpus.dataset import NO_CHAIN, Dataset
from treesmu.expr import from_prefix, parse


def test_what_a_jsonl_file_lacks_is_derived(tmp_path: Path) -> None:
    path = write_jsonl(
        tmp_path / "some.jsonl", {"infix": "sin(2x) = 2 sin(x) cos(x)", "label": 1}, {"infix": "x = y", "label": False}
    )
    data = Dataset.read(path)
    e = parse("sin(2x) = 2 sin(x) cos(x)")
    assert data.prefix.to_pylist() == [" ".join(e.prefix()), "Equality x y"]
    assert (data.label.tolist(), data.depth.tolist(), data.size.tolist()) == ([1, 0], [e.depth, 1], [e.size, 3])
    assert (data.chain.tolist(), data.kind.tolist(), data.split.tolist()) == ([NO_CHAIN] * 2, ["", ""], ["", ""])


@pytest.mark.parametrize("with_infix", [True, False])
def test_a_prefix_that_is_not_there_is_made_from_the_infix(with_infix: bool, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    columns = {"prefix": [None, "Equality x x"], "infix": ["x + 1 = y", None], "label": [0, 1]}
    pq.write_table(pa.table(columns), tmp_path / "train.parquet")
    data = Dataset.read(tmp_path / "train.parquet", with_infix=with_infix)
    assert data.expressions() == [parse("x + 1 = y"), parse("x = x")]
    together = Dataset.read(tmp_path, split="all", with_infix=with_infix)  # though one split has an infix that another lacks
    assert together.expressions() == [*data.expressions(), *equations(), *equations()]


def test_a_tree_in_memory_that_is_too_deep_is_named() -> None:
    deep = from_prefix(["Equality", "x", *["sin"] * 40_000, "x"])
    with pytest.raises(DataError, match=r"^memory, row 1: 'depth' is 40001, which is not of type int16"):
        Dataset.of([parse("x = x"), deep], [1, 0])
