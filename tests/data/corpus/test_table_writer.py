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


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".csv", ".tsv"])
@pytest.mark.parametrize("with_infix", [True, False])
def test_every_column_survives_a_file_of_ours(suffix: str, with_infix: bool, tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path), with_infix=with_infix)
    data.write(tmp_path / f"copy{suffix}")
    again = Dataset.read(tmp_path / f"copy{suffix}", with_infix=True)
    for name in ("prefix", "label", "depth", "size", "chain", "kind", "split"):
        assert getattr(again, name).tolist() == getattr(data, name).tolist()
    assert again.infix.to_pylist() == [str(e) for e in equations()]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(("name", "separator"), [("some.csv", ","), ("some.tsv", "\t")])
def test_a_table_of_text_has_names_in_its_first_line_and_quotes_where_they_are_needed(
    name: str, separator: str, tmp_path: Path
) -> None:
    Dataset.of([parse("log(x, 2) = 3"), parse("theta = 1/2")], [0, -1], kind='a "kind", odd').write(tmp_path / name)
    first, second, third = (tmp_path / name).read_text(encoding="utf-8").splitlines()
    assert first.split(separator) == ["infix", "label", "depth", "size", "kind", "split", "chain", "prefix"]
    assert second.startswith('"log(x, 2) = 3",0,2,5' if separator == "," else "log(x, 2) = 3\t0\t2\t5")
    assert third.endswith(f"{separator}-1{separator}Equality theta 1/2")
    again = Dataset.read(tmp_path / name)
    assert again.expressions() == [parse("log(x, 2) = 3"), parse("theta = 1/2")]
    assert (again.label.tolist(), again.kind.tolist()) == ([0, -1], ['a "kind", odd'] * 2)


def test_an_equation_of_any_length_survives_a_table_of_text(tmp_path: Path) -> None:
    e = parse(" + ".join(["sin(x)"] * 20_000) + " = 1")
    Dataset.of([e], [0]).write(tmp_path / "long.csv")
    assert Dataset.read(tmp_path / "long.csv").expressions() == [e]


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
