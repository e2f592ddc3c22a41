"""The command ``treesmu data import``: make a corpus of files of equations."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from treesmu.errors import cannot_write

from ..terminal.imports import executor_for, show_rows_read
from ..terminal.messages import print_text, say
from ..terminal.options import AsJson, InputError, choice_of


def import_files(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="CSV, TSV, text, JSONL, Parquet or the authors' JSON, or folders of them."),
    ],
    out: Annotated[Path, typer.Option(metavar="OUT", help="The new corpus folder.")],
    equation: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of equations, or of the two sides: LEFT,RIGHT. By default guessed."),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of labels. By default guessed; without one, the check gives labels."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare labels with the numeric check; list disagreements.")] = False,
    disagreements: Annotated[
        str,
        choice_of(
            lambda: ("keep", "drop", "correct"),
            "With --check, what to do with a label that the check contradicts: keep, drop or correct.",
        ),
    ] = "keep",
    bad_lines: Annotated[
        str, choice_of(lambda: ("skip", "refuse"), "Lines that cannot be read: skip them, or refuse to import.")
    ] = "skip",
    overlap: Annotated[
        str,
        choice_of(lambda: ("keep", "drop"), "Training equations that are in a validation or test file too: keep or drop."),
    ] = "keep",
    validation: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Share of validation equations, if no file has them.")
    ] = 0.1,
    test: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Share of test equations, if no file has them.")
    ] = 0.1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the splits. The same seed gives the same bytes.")] = 0,
    limit_listed: Annotated[int, typer.Option(metavar="N", min=0, help="How many bad lines and disagreements to list.")] = 20,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of processes; by default one per core.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a corpus of files of equations.

    Equations are parsed, labelled and divided into train, validation and test; the same equation with other names of
    variables is never in two of them. Files named train, validation (val, dev) or test keep their split. Every bad line is
    listed with its number and the reason.

    \b
    Examples:
      treesmu data import equations.csv --out corpora/mine
      treesmu data import train.csv test.csv --out corpora/mine --check --disagreements drop
    """
    from treesmu.files import fresh_folder
    from treesmu.importing.corpus import import_corpus
    from treesmu.importing.report import BadLinesError, ImportReport
    from treesmu.importing.settings import ImportSettings
    from treesmu.importing.sources import find_sources

    chosen: dict[str, Any] = {"disagreements": disagreements, "bad_lines": bad_lines, "overlap": overlap}
    settings = ImportSettings(seed, validation, test, equation, label, check, listed=limit_listed, **chosen)
    sources = find_sources(files)
    try:
        with fresh_folder(out) as folder, executor_for(files, jobs) as executor, show_rows_read() as progress:
            manifest = import_corpus(sources, settings, folder, executor.in_order, progress)
    except BadLinesError as error:
        for line in error.listed:
            say(line)
        raise
    except FileExistsError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise cannot_write(out, error) from None
    for line in ImportReport.from_json(manifest["import"]).lines():
        say(line)
    if as_json:
        print(json.dumps(manifest, indent=1))
        return
    for source in manifest["sources"]:
        print_text(f"{source['name']}: {source['kept']:,} equations ({source['columns']})")
    rows = {name: manifest["files"][f"{name}.parquet"]["rows"] for name in ("train", "validation", "test")}
    print_text(f"{', '.join(f'{count:,} {name}' for name, count in rows.items())} -> {out}")
    name = shlex.quote(str(out))
    print_text(f"next: treesmu data show {name}    treesmu train {name} --out RUN")
