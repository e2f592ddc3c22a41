"""Parquet files: columns, rows and checksums; names that pyarrow would take for a URL."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from treesmu.data import Blanks, Dataset
from treesmu.data.tree_files.read import read_trees
from treesmu.errors import DataError
from treesmu.parquet_files import check_rows, column_names, describe_table, local_path


def test_a_table_is_described_by_its_rows_bytes_and_checksum(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    pq.write_table(pa.table({"a": [1, 2, 3]}), path)
    content = path.read_bytes()
    assert describe_table(path) == {"rows": 3, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def test_columns_are_those_of_parquet_files_only(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "b": [2]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_text("no")
    found = [column_names(tmp_path / name) for name in ("a.parquet", "b.parquet", "none.parquet")]
    assert found == [{"a", "b"}, None, None]


def test_a_table_with_far_more_rows_than_bytes_is_refused(tmp_path: Path) -> None:
    """Runs of one value take no room in Parquet: 3 million rows in some kilobytes here, and a terabyte in memory elsewhere."""
    path = tmp_path / "test.parquet"
    pq.write_table(pa.table({"label": np.zeros(3_000_000, np.int8)}), path, compression="zstd")
    assert path.stat().st_size < 100_000
    for read in (Dataset.read, read_trees, Blanks.read):
        with pytest.raises(DataError, match=r"declares 3,000,000 rows in [0-9,]+ bytes; make or copy the file again"):
            read(path)
    check_rows(path, 1_000_000)  # few enough for any file


def test_a_relative_name_with_a_colon_is_a_file_and_no_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run:1").mkdir()
    pq.write_table(pa.table({"a": [1, 2]}), local_path(Path("run:1/table.parquet")))
    assert column_names(Path("run:1/table.parquet")) == {"a"}
    assert describe_table(Path("run:1/table.parquet"))["rows"] == 2
