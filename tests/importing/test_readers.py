"""Every format gives the same rows: line, equation and label as they are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from treesmu.data import Dataset, by_depth, write_authors
from treesmu.errors import DataError
from treesmu.expr import parse
from treesmu.importing.readers import OpenSource, SourceRow, open_source
from treesmu.importing.settings import ImportSettings
from treesmu.importing.sources import find_sources

RECORDS = [{"equation": "x = x", "label": 1}, {"equation": "x = y", "label": 0}, {"equation": "x = 2", "label": None}]


def read(path: Path, **settings: Any) -> OpenSource:
    (source,) = find_sources([path])
    return open_source(source, ImportSettings(**settings))


def rows_of(path: Path, **settings: Any) -> list[SourceRow]:
    return list(read(path, **settings).rows)


@pytest.mark.parametrize("first", [1, 2])
def test_records_of_any_format(tmp_path: Path, first: int) -> None:
    paths = [tmp_path / name for name in ("a.jsonl", "a.json", "a.parquet", "a.csv")]
    paths[0].write_text("\n" * (first - 1) + "".join(json.dumps(record) + "\n" for record in RECORDS))
    paths[1].write_text(json.dumps(RECORDS))
    pq.write_table(pa.Table.from_pylist(RECORDS), paths[2])
    paths[3].write_text("equation,label\nx = x,1\nx = y,0\nx = 2,\n")
    for path in paths:
        number = {".jsonl": first, ".csv": 2}.get(path.suffix, 1)
        wanted = [(number + i, r["equation"], "" if r["label"] is None else str(r["label"])) for i, r in enumerate(RECORDS)]
        assert [row[:3] for row in rows_of(path)] == wanted


def test_text_has_one_equation_per_line_and_comments(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# identities\n\n  x = x \nlog(x, 2) = 1\n")
    opened = read(tmp_path / "a.txt")
    assert list(opened.rows) == [SourceRow(3, "x = x"), SourceRow(4, "log(x, 2) = 1")]
    assert opened.unit == "line"


def test_the_authors_examples_keep_their_trees_labels_and_numbers(tmp_path: Path) -> None:
    equations = [parse("x = x"), parse("sin(x) = y")]
    write_authors(tmp_path / "a.json", by_depth(zip(equations, (True, None), strict=True)))
    data = json.loads((tmp_path / "a.json").read_text())
    data[1].append({"label": "1"})
    (tmp_path / "a.json").write_text(json.dumps(data))
    opened = read(tmp_path / "a.json")
    first, bad, last = opened.rows
    assert (first, last) == (
        SourceRow(1, "Equality x x", "1", is_prefix=True),
        SourceRow(3, "Equality sin x y", "-1", is_prefix=True),
    )
    assert (bad.line, bad.fault) == (2, "depth list 1, example 1: the example has no 'equation'")
    assert opened.unit == "example"


def test_the_authors_examples_in_one_list_are_read_too(tmp_path: Path) -> None:
    write_authors(tmp_path / "a.json", by_depth([(parse("x = x"), True)]))
    (tmp_path / "a.json").write_text(json.dumps(json.loads((tmp_path / "a.json").read_text())[1]))
    assert rows_of(tmp_path / "a.json") == [SourceRow(1, "Equality x x", "1", is_prefix=True)]


def test_our_own_files_keep_trees_splits_and_kinds(tmp_path: Path) -> None:
    data = Dataset.of([parse("x - 1 = x + -1")], [1], kind="rewrite", split="test")
    for name in ("a.parquet", "a.jsonl"):
        data.write(tmp_path / name)
        assert rows_of(tmp_path / name) == [SourceRow(1, "Equality Add x Mul -1 1 Add x -1", "1", "test", "rewrite", True)]


def test_sides_in_two_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("lhs,rhs,label\nx,y,0\nx,,1\n")
    good, bad = rows_of(tmp_path / "a.csv")
    assert good == SourceRow(2, "x = y", "0")
    assert bad.fault == "there is no right side"


def test_rows_of_the_wrong_shape_are_faults(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('equation,label\nlog(x, 2) = 1,1\nx = x,1,\nx = y\n"x = z,1\n')
    many, extra, few, cut = rows_of(tmp_path / "a.csv")
    assert many.fault == "3 columns instead of 2; put a cell that contains ',' in quotes"
    assert (extra, few) == (SourceRow(3, "x = x", "1"), SourceRow(4, "x = y"))
    assert (cut.line, cut.fault) == (5, "a quote that is not closed")


def test_lines_that_are_no_objects_are_faults(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"equation": "x = x"}\n{"equation"\n7\n"x = y"\n')
    good, bad, number, text = rows_of(tmp_path / "a.jsonl")
    assert good == SourceRow(1, "x = x")
    assert bad.fault.startswith("not JSON: ")
    assert number.fault == "not an object with an equation and a label"
    assert text == SourceRow(4, "x = y")


def test_a_row_of_an_unknown_split_is_a_fault_and_never_trained_on(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("equation,label,split\nx = x,1,Training\nx = y,0,holdout\nx = 2,0,\n")
    assert [(row.split, row.fault) for row in rows_of(tmp_path / "a.csv")] == [
        ("train", ""), ("", "the split is 'holdout'; write train, validation or test"), ("", ""),
    ]  # fmt: skip


def test_text_in_parquet_may_be_bytes_and_names_must_differ(tmp_path: Path) -> None:
    pq.write_table(pa.table({"equation": [b"x = x"], "label": [True]}), tmp_path / "a.parquet")
    assert rows_of(tmp_path / "a.parquet") == [SourceRow(1, "x = x", "True")]
    pq.write_table(pa.table([["x = x"], ["x = y"], [1]], names=["eq", "eq", "label"]), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"a\.parquet: 2 columns are named 'eq'; rename or remove all but one"):
        read(tmp_path / "a.parquet")


def test_how_columns_were_understood_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("eq,correct\nx = y,0\n")
    assert read(tmp_path / "a.csv").columns == "equation eq, label correct"
    (tmp_path / "a.csv").write_text("eq\nx = y\n")
    assert read(tmp_path / "a.csv").columns == "equation eq, no label, so the check gives it"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", r"a\.csv: there are no equations: the file is empty"),
        (
            "a.csv",
            "a,b\n1,2\n",
            r"a\.csv: no column of equations among: a,b; name it: .* --equation COLUMN",
        ),
        ("a.jsonl", '{"a": 1}\n', r"a\.jsonl: no column of equations among: a; name it"),
        ("a.json", "{", r"a\.json: not JSON"),
        ("a.json", '{"a":\n 1}', r"a\.json: neither a list of records nor the authors' lists"),
    ],
)
def test_files_without_equations_are_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=message):
        read(tmp_path / name)
