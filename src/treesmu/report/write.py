"""Write the report of a folder: page, tables, figures, and the record to make them again. Same folder, same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from treesmu.errors import DataError, cannot_write, describe
from treesmu.files import atomic_write

from .figures.draw import draw
from .figures.figure import Figure, numbers
from .folder import Folder
from .formats import comma_separated, latex, markdown
from .page import page
from .record import require_unpacked, write_record
from .statistics.family import differences_tables
from .studies import section
from .table import Table
from .text.limits import describe_limits
from .text.provenance import provenance_tables
from .text.summary import summarise


@dataclass(frozen=True)
class WrittenFiles:
    """The files of a report, and sentences about what it could not show."""

    report: Path | None  # None for a sweep
    tables: list[Path]
    figures: list[Path]
    missing: list[str]


def write_report(path: Path) -> WrittenFiles:
    """Write the report of a folder of ``treesmu reproduce`` into that folder."""
    folder = Folder(path)
    require_unpacked(folder)
    sections = [section(study, path) for study in folder.studies]
    with _naming(path):
        summary, provenance = summarise(folder, sections), provenance_tables(folder)
        families = [*summary.families, *(family for section in sections for family in section.families)]
        differences = differences_tables(families)
        content = page(folder, sections, summary, differences, provenance)
    parts = [part for section in sections for part in section.parts]
    tables = [part for part in (*parts, summary.table, *differences, *provenance) if isinstance(part, Table)]
    figures = [part for part in (summary.figure, *parts) if isinstance(part, Figure)]
    table_files = [file for table in tables for file in write_table(path / "tables", table)]
    figure_files = [file for figure in figures for file in write_figure(path / "figures", figure)]
    write_record(folder)
    _write(path / "report.html", content.encode())
    return WrittenFiles(path / "report.html", table_files, figure_files, describe_limits(folder))


@contextmanager
def _naming(place: Path) -> Iterator[None]:
    """Turn the errors of content that no check has found into a DataError that says where to look."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        remedy = "remove the files that were changed, and make them again with: treesmu reproduce --resume"
        raise DataError(f"{place}: not what this version writes ({describe(error)}); {remedy}") from error


def write_table(folder: Path, table: Table) -> list[Path]:
    """Write a table as Markdown, CSV and LaTeX."""
    contents = {"md": markdown(table), "csv": comma_separated(table), "tex": latex(table)}
    return [_write(folder / f"{table.name}.{kind}", content.encode()) for kind, content in contents.items()]


def write_figure(folder: Path, figure: Figure) -> list[Path]:
    """Write a figure as SVG, PDF and PNG, and its numbers as CSV."""
    drawn = [_write(folder / f"{figure.name}.{kind}", content) for kind, content in draw(figure).items()]
    return [*drawn, _write(folder / f"{figure.name}.csv", numbers(figure).encode())]


def _write(path: Path, content: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path.parent, error) from error
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
    return path
