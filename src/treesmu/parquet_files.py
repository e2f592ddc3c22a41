"""What is common to all readers of Parquet files: their columns, rows and checksums, and paths that pyarrow understands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treesmu.errors import DataError, one_line

from .files import sha256_of

MANY_ROWS = 1_000_000  # of a file with less than one byte for each


def check_rows(path: Path, rows: int) -> None:
    """Raise a DataError if a Parquet file declares far more rows than its bytes can be: they would fill the memory."""
    if rows > max(MANY_ROWS, path.stat().st_size):
        raise DataError(f"{path}: declares {rows:,} rows in {path.stat().st_size:,} bytes; make or copy the file again")


def valid_table(table: Any) -> Any:
    """Return an Arrow table, or raise an ArrowInvalid if a column has bytes, or text that is not UTF-8: Arrow passes it on."""
    import pyarrow as pa

    if bytes_in := [f.name for f in table.schema if pa.types.is_binary(f.type) or pa.types.is_large_binary(f.type)]:
        raise pa.ArrowInvalid(f"the column {bytes_in[0]!r} has bytes, not text")
    table.validate(full=True)
    return table


def local_path(path: Path) -> Path:
    """Return the path for pyarrow, which takes a relative one with a colon, such as ``run:1/test.parquet``, for a URL."""
    return path.absolute()


def column_names(path: Path) -> set[str] | None:
    """Return the names of the columns of a Parquet file; None if it is no Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return set(pq.read_schema(local_path(path)).names)
    except (OSError, UnicodeDecodeError, pa.ArrowException):
        return None


def describe_table(path: Path) -> dict[str, Any]:
    """Return the number of rows, the size and the checksum of a Parquet file, for the manifest of a corpus."""
    import pyarrow.parquet as pq

    return {"rows": pq.read_metadata(local_path(path)).num_rows, "bytes": path.stat().st_size, "sha256": sha256_of(path)}


def read_columns(path: Path, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    """Return the columns of a small Parquet file as lists; an optional one that the file lacks is left out."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.exists():
        raise DataError(f"{path}: there is no such file; treesmu generate and treesmu data import make it")
    try:
        with pq.ParquetFile(local_path(path)) as file:
            check_rows(path, file.metadata.num_rows)
            table = valid_table(file.read())
        found = {name: table[name].to_pylist() for name in (*needed, *optional) if name in table.column_names}
    except (OSError, UnicodeDecodeError, pa.ArrowException) as error:  # names of columns may not be UTF-8 either
        raise DataError(f"{path}: not a Parquet file: {one_line(error)}") from error
    if missing := [name for name in needed if name not in found]:
        raise DataError(f"{path}: there is no column {missing[0]!r}; needed are {', '.join(needed)}")
    return found
