"""The commands ``treesmu data show|stats|audit|convert``: look at the equations of a corpus or a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treesmu.errors import DataError
from treesmu.extras import require

from ..commands import CommandGroup, new_typer
from ..terminal.completion import SPLITS
from ..terminal.imports import corpus_folder, read_dataset
from ..terminal.messages import print_text
from ..terminal.options import AsJson, choice_of, depth_range

if TYPE_CHECKING:
    from treesmu.data.corpus.dataset import Dataset
    from treesmu.data.inspect.text_table import TextTable

data_app = new_typer(cls=CommandGroup, help="Import, show, count, re-check and convert equations.")

Source = Annotated[Path, typer.Argument(help="A corpus folder, or a file: Parquet, JSONL, the authors' JSON, CSV, TSV, text.")]
Split = Annotated[str, choice_of(lambda: SPLITS, "The split of a corpus folder: train, validation, test or all.")]
Depths = Annotated[str | None, typer.Option(metavar="A-B", help="Only these depths, such as 8-13 or 5.")]
Label = Annotated[int | None, typer.Option(metavar="0|1", min=0, max=1, help="Only correct (1) or incorrect (0) equations.")]
Kind = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only rows of this kind, such as near-miss. Repeatable.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the choice of rows.")]


@data_app.callback(invoke_without_command=True)
def _data(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@data_app.command()
def show(
    path: Source,
    split: Split = "test",
    depths: Depths = None,
    label: Label = None,
    kind: Kind = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many rows to show.")] = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Print a random sample of the rows as readable formulas.

    \b
    Examples:
      treesmu data show corpora/quick --depths 3-5 --kind near-miss --count 10
    """
    import numpy as np

    from treesmu.data.inspect import show as rows

    data = _read(path, split, depths, kind, label).sample(count, np.random.default_rng(seed))
    print_text(json.dumps(rows.records(data), indent=2) if as_json else rows.text(data))


@data_app.command()
def stats(
    path: Source,
    split: Split = "all",
    depths: Depths = None,
    kind: Kind = None,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Also measure how well simple counts predict the label."),
    ] = False,
    figures: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write figures (SVG and PNG) to this folder.")] = None,
    beside: Annotated[
        Path | None,
        typer.Option(metavar="OTHER", help="Compare with another corpus folder or file: print the figures of both instead."),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Count rows, functions and leaves.

    Rows are counted by depth, label and kind; functions and leaves by label.

    \b
    Examples:
      treesmu data stats corpora/quick --probe --figures figures
      treesmu data stats corpora/published --split train --beside equations.json
    """
    from treesmu.data.inspect.stats import tables

    if probe:
        require("treesmu data stats --probe", "sklearn")
    if figures is not None:
        require("treesmu data stats --figures", "matplotlib")
    data = _read(path, split, depths, kind)
    results = tables(data) if beside is None else _tables_beside(data, _read(beside, split, depths, kind), seed)
    if probe:
        from treesmu.data.inspect.leak_probe import probe_leaks

        with _progress_bar("probes") as step:
            corpus = corpus_folder(path)
            train, test = _read(corpus, "train", None, kind), _read(corpus, "test", depths, kind)
            results["probe"] = probe_leaks(train, test, seed, step)
    if as_json:
        print(json.dumps({name: table.records() for name, table in results.items()}, indent=2))
    else:
        print_text("\n\n".join(table.text() for table in results.values()))
    if figures is not None:
        from treesmu.data.inspect.figures import draw

        for file in draw(data, figures):
            typer.echo(f"-> {file}", err=True)


def _tables_beside(data: Dataset, other: Dataset, seed: int) -> dict[str, TextTable]:
    require("treesmu data stats --beside", "sklearn")
    from treesmu.data.inspect.beside import tables_beside

    with _progress_bar("figures") as step:
        return tables_beside(data, other, seed, step)


@data_app.command()
def audit(
    path: Source,
    split: Split = "all",
    depths: Depths = None,
    label: Label = None,
    kind: Kind = None,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="How many rows to re-check.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the choice of rows and points.")] = 0,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of processes; by default one per core.")] = None,
    as_json: AsJson = False,
) -> None:
    """Re-check labels with mpmath (50 digits) and SymPy, at new points.

    Depths and sizes are compared with the trees, and the files of a corpus folder with its manifest. The exit code is 1
    if anything contradicts the corpus.

    \b
    Examples:
      treesmu data audit corpora/quick --rows 5000
    """
    from treesmu.data.corpus.manifest import changed_files
    from treesmu.data.inspect.audit import CHUNK, AuditReport
    from treesmu.data.inspect.audit import audit as run_audit
    from treesmu.engine import default_jobs, open_executor

    files = changed_files(path) if path.is_dir() else []
    try:
        data = _read(path, split, depths, kind, label)
        total = min(rows, len(data))
        tasks = -(-total // CHUNK)
        with _progress_bar("rows", total) as step, open_executor("local", min(jobs or default_jobs(), tasks)) as executor:
            report = run_audit(data, rows, seed, executor.in_order, progress=step)
        report.files = files
    except DataError as error:
        if not files:
            raise
        report = AuditReport(files=[*dict.fromkeys([*files, str(error)])])  # a damaged file is not read
    print_text(json.dumps(asdict(report), indent=2) if as_json else report.text())
    if not report.holds:
        raise typer.Exit(1)


@data_app.command()
def convert(
    path: Source,
    out: Annotated[Path, typer.Argument(help="The new file: .parquet, .jsonl, .csv, .tsv, or .json (the authors').")],
    split: Split = "test",
    depths: Depths = None,
    label: Label = None,
    kind: Kind = None,
) -> None:
    """Write the rows to a file; its suffix chooses the format.

    \b
    Examples:
      treesmu data convert corpora/quick test.csv
      treesmu data convert corpora/quick deep.json --split all --depths 8-13
    """
    if out.exists():  # it might be the only copy of what is converted
        raise DataError(f"{out} exists already; choose another name, or remove it first")
    data = _read(path, split, depths, kind, label, with_infix=True)
    data.write(out)
    print_text(f"{len(data):,} equations -> {out}")


def _read(
    path: Path, split: str, depths: str | None, kinds: list[str] | None, label: int | None = None, with_infix: bool = False
) -> Dataset:
    """Return the rows that the options select; an empty selection is an error."""
    data = read_dataset(path, split, with_infix)
    selected = data.select(depth_range(depths), None if label is None else (label,), kinds or None)
    if not len(selected):
        known = (
            f"depths {data.depth.min()}-{data.depth.max()}, kinds {', '.join(sorted(set(data.kind))) or 'unknown'}"
            if len(data)
            else "no rows"
        )
        raise DataError(f"{path}: no row matches these options; the data has {known}")
    return selected


@contextmanager
def _progress_bar(name: str, total: int | None = None) -> Iterator[Any]:
    """Show a progress bar on a terminal; yield a function to be called with the number of steps done, or with a new name."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(name, total=total)
        yield lambda step: bar.advance(task, step) if isinstance(step, int) else bar.update(task, description=step)
