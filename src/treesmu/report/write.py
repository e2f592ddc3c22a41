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
from .section import Section
from .studies import section
from .table import Table
from .text.provenance import corpora_table, missing, models_table, settings_table
from .text.summary import Summary, summary


@dataclass(frozen=True)
class WrittenFiles:
    """The files, and sentences about what the report could not show."""

    report: Path | None  # of a reproduction
    tables: list[Path]
    figures: list[Path]
    missing: list[str]


def write_report(path: Path) -> WrittenFiles:
    """From what ``treesmu reproduce`` left in a folder, into the same folder."""
    folder = Folder(path)
    sections = [section(study, folder) for study in folder.studies]
    said = summary(folder, sections)
    content = page(folder, sections, said)
    tables = [file for table in _tables(folder, sections, said) for file in write_table(path / "tables", table)]
    figures = [file for figure in _figures(sections, said) for file in write_figure(path / "figures", figure)]
    write_record(folder)
    _write(path / "report.html", content.encode())
    return WrittenFiles(path / "report.html", tables, figures, missing(folder))


def _tables(folder: Folder, sections: list[Section], said: Summary) -> list[Table]:
    own = [part for section in sections for part in section.parts if isinstance(part, Table)]
    others = (said.table, models_table(folder), settings_table(folder), corpora_table(folder))
    return own + [table for table in others if table is not None]


def _figures(sections: list[Section], said: Summary) -> list[Figure]:
    own = [part for section in sections for part in section.parts if isinstance(part, Figure)]
    return own if said.figure is None else [said.figure, *own]


def write_table(folder: Path, table: Table) -> list[Path]:
    contents = {"md": markdown(table), "csv": comma_separated(table), "tex": latex(table)}
    return [_write(folder / f"{table.name}.{kind}", content.encode()) for kind, content in contents.items()]


def write_figure(folder: Path, figure: Figure) -> list[Path]:
    drawn = [_write(folder / f"{figure.name}.{kind}", content) for kind, content in draw(figure).items()]
    return [*drawn, _write(folder / f"{figure.name}.csv", numbers(figure).encode())]


def _write(path: Path, content: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)
    return path
