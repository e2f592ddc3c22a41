"""What is written is read again with every column; a failed write leaves the old file."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from corpora import equations, write_corpus, write_jsonl, write_split
from treesmu.data import DataError
from treesmu.data.corpus.dataset import Dataset
from treesmu.expr import parse


def test_an_empty_file_is_an_empty_dataset(tmp_path: Path) -> None:
    data = Dataset.of([], [])
    data.write(tmp_path / "none.parquet")
    assert len(Dataset.read(tmp_path / "none.parquet")) == 0


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("with_infix", [True, False])
def test_every_column_survives_a_file_of_ours(suffix: str, with_infix: bool, tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path), with_infix=with_infix)
    data.write(tmp_path / f"copy{suffix}")
    again = Dataset.read(tmp_path / f"copy{suffix}", with_infix=True)
    for name in ("prefix", "label", "depth", "size", "chain", "kind", "split"):
        assert getattr(again, name).tolist() == getattr(data, name).tolist()
    assert again.infix.to_pylist() == [str(e) for e in equations()]
    assert not list(tmp_path.glob("*.part"))


def test_a_parquet_file_has_the_documented_types(tmp_path: Path) -> None:
    Dataset.read(write_split(tmp_path / "test.parquet")).write(tmp_path / "copy.parquet")
    assert pq.read_schema(tmp_path / "copy.parquet").equals(pq.read_schema(tmp_path / "test.parquet"))


def test_the_authors_json_keeps_equations_and_labels_and_numbers_other_variables(tmp_path: Path) -> None:
    data = Dataset.of([parse("theta + y = x"), parse("y = y")], [0, 1])
    data.write(tmp_path / "copy.json")
    again = Dataset.read(tmp_path / "copy.json")
    assert again.expressions() == [parse("y = y"), parse("x + y = z")]
    assert again.label.tolist() == [1, 0]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("old")
    broken = Dataset.read(write_jsonl(tmp_path / "bad.jsonl", {"prefix": "Equality x", "label": 1, "depth": 1, "size": 2}))
    with pytest.raises(DataError):
        broken.write(path)
    assert path.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.jsonl", "kept.jsonl"]
    with pytest.raises(DataError, match=r"nowhere.*cannot be written: No such file or directory"):
        Dataset.of([parse("x = x")], [1]).write(tmp_path / "nowhere" / "copy.jsonl")
