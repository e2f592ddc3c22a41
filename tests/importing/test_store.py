"""Rows that are stored are written in their order, those that are chosen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from treesmu.importing.parsing import parse_rows
from treesmu.importing.readers import SourceRow
from treesmu.importing.settings import ImportSettings
from treesmu.importing.splits import NOT_GIVEN
from treesmu.importing.store import SCHEMA, RowStore


def test_chosen_rows_are_written_in_order_with_their_source(tmp_path: Path) -> None:
    rows = [SourceRow(i, f"x = {i}", "0", "test" if i == 3 else "") for i in range(1, 6)]
    with RowStore(tmp_path / "rows.part") as store:
        store.add(parse_rows(rows[:2], ImportSettings()), "a.csv", "train")
        store.add(parse_rows([], ImportSettings()), "none.csv", "")
        store.add(parse_rows(rows[2:], ImportSettings()), "b.csv", "")
        assert store.column("given").tolist() == [0, 0, 2, NOT_GIVEN, NOT_GIVEN]
        assert store.column("line").tolist() == [1, 2, 3, 4, 5]
        store.write(tmp_path / "some.parquet", np.array([True, False, True, True, False]), np.arange(5) * 10, "train")
        store.write(tmp_path / "none.parquet", np.zeros(5, bool), np.arange(5), "test")
    table = pq.read_table(tmp_path / "some.parquet")
    assert table.schema.equals(SCHEMA)
    assert table["infix"].to_pylist() == ["x = 1", "x = 3", "x = 4"]
    assert table["chain"].to_pylist() == [0, 20, 30]
    assert set(table["split"].to_pylist()) == {"train"}
    assert list(zip(table["source"].to_pylist(), table["line"].to_pylist(), strict=True)) == [
        ("a.csv", 1),
        ("b.csv", 3),
        ("b.csv", 4),
    ]
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0
    assert not (tmp_path / "rows.part").exists()
