"""Write the report of a folder: page, tables, figures, and the record to make them again. Same folder, same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from treesmu.errors import DataError
from treesmu.files import atomic_write

from .figures.draw import draw
from .figures.figure import Figure, numbers
from .folder import Folder
from .formats import comma_separated, latex, markdown
from .page import page
from .record import write_record
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
    sections = [section(study, path) for study in folder.studies]
    summary, provenance = summarise(folder, sections), provenance_tables(folder)
    content = page(folder, sections, summary, provenance)
    parts = [part for section in sections for part in section.parts]
    tables = [part for part in (*parts, summary.table, *provenance) if isinstance(part, Table)]
    figures = [part for part in (summary.figure, *parts) if isinstance(part, Figure)]
    table_files = [file for table in tables for file in write_table(path / "tables", table)]
    figure_files = [file for figure in figures for file in write_figure(path / "figures", figure)]
    write_record(folder)
    _write(path / "report.html", content.encode())
    return WrittenFiles(path / "report.html", table_files, figure_files, describe_limits(folder))


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
        raise DataError(f"{path.parent}: cannot be created: {error.strerror or error}") from error
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
    return path
