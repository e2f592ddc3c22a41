"""Import sources as a corpus: rows are parsed in chunks, assigned to splits, and written with a manifest and a card."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from treesmu import __version__
from treesmu.data.corpus.card import CardText, write_card
from treesmu.errors import DataError
from treesmu.generate.blanks import write_questions
from treesmu.generate.columns import EquationColumns
from treesmu.json_files import write_json
from treesmu.parquet_files import describe_table, local_path

from .columns import SPLITS
from .parsing import parse_rows
from .readers import OpenSource, SourceRow, open_source
from .report import ImportReport, count_of
from .settings import ImportSettings
from .sources import Source
from .splits import Assignment, assign_splits
from .store import RowStore

RunInOrder = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]  # Executor.in_order
Progress = Callable[[int], None]  # called with the number of rows read so far

IMPORTER = 2  # version of what an import does with the same files and settings; part of the key of the cache
TABLE = "equations.parquet"  # all rows of files that are not divided into splits
_CHUNK = 2_000  # rows that are parsed together
_BLANKS_PER_DEPTH = 100


def import_corpus(
    sources: Sequence[Source], settings: ImportSettings, folder: Path, run: RunInOrder, progress: Progress = lambda _: None
) -> dict[str, Any]:
    """Write a corpus of all rows into an empty folder, and return its manifest. The same seed gives the same bytes."""
    with RowStore(folder / "rows.part") as store:
        report, described = _read(sources, settings, store, run, progress)
        fingerprint, label, depth, given = (store.column(name) for name in ("fingerprint", "label", "depth", "given"))
        try:
            assigned = assign_splits(fingerprint, label, depth, given, settings)
        except DataError as error:
            raise DataError(f"{_names(sources)}: {error}") from error
        for number, name in enumerate(SPLITS):
            store.write(folder / f"{name}.parquet", assigned.split == number, assigned.group, name)
        _add_notes(report, assigned, store, settings)
        counts = _counts(assigned.split, store)
    _write_questions(folder, settings.seed)
    write_card(folder, _card(sources, settings))
    return _write_manifest(folder, settings, described, report, counts)


def import_table(
    sources: Sequence[Source], settings: ImportSettings, folder: Path, run: RunInOrder, progress: Progress = lambda _: None
) -> dict[str, Any]:
    """Write all rows to one table, in the order of the files, and return the manifest."""
    with RowStore(folder / "rows.part") as store:
        report, described = _read(sources, settings, store, run, progress)
        rows = len(store.column("label"))
        store.write(folder / TABLE, np.ones(rows, bool), np.full(rows, -1), "")
    return _write_manifest(folder, settings, described, report, {})


def _read(
    sources: Sequence[Source], settings: ImportSettings, store: RowStore, run: RunInOrder, progress: Progress
) -> tuple[ImportReport, list[dict[str, Any]]]:
    """Parse all rows into the store. Return the report and what the manifest says of each source."""
    report = ImportReport(settings.listed)
    described = []
    for source in sources:
        try:
            opened = open_source(source, settings)
        except DataError as error:
            if not source.is_in_folder or settings.bad_lines == "refuse":
                raise
            report.notes.append(f"left out: {error}")
            continue
        before = report.counts.copy()
        for rows in run(parse_rows, ((chunk, settings) for chunk in _chunks(opened))):
            report.add(rows, source.name, opened.unit)
            store.add(rows, source.name, source.split)
            progress(report.counts["read"])
        counts = {name: report.counts[name] - before[name] for name in ("read", "kept", "bad")}
        described.append({**source.describe(), "columns": opened.columns, **counts})
    if settings.bad_lines == "refuse":
        report.refuse_bad_lines()
    if not report.counts["kept"]:
        first = next((said[0] for said in (*report.listed.values(), report.notes) if said), "there are no rows")
        raise DataError(f"{_names(sources)}: no equations could be read; {first}")
    return report, described


def _names(sources: Sequence[Source]) -> str:
    """Return the names of the files for a message: at most three."""
    more = [count_of(len(sources) - 3, "more file")] if len(sources) > 3 else []
    return ", ".join([*(source.name for source in sources[:3]), *more])


def _chunks(opened: OpenSource) -> Iterator[list[SourceRow]]:
    while chunk := list(islice(opened.rows, _CHUNK)):
        yield chunk


# -- what is written besides the splits ----------------------------------------------------------------------------------


def _counts(split: Any, store: RowStore) -> dict[str, dict[str, dict[str, int]]]:
    """Return the rows of each split by depth and label, as in the manifest of a generated corpus."""
    found = Counter(zip(split.tolist(), store.column("depth").tolist(), store.column("label").tolist(), strict=True))
    return {
        name: {
            str(depth): {str(label): found[number, depth, label] for label in (1, 0)}
            for depth in sorted({d for s, d, _ in found if s == number})
        }
        for number, name in enumerate(SPLITS)
    }


def _write_questions(folder: Path, seed: int) -> None:
    """Write blanks of correct test equations of every depth, and the candidates, as a generated corpus has them."""
    names = ("prefix", "infix", "label", "depth", "size", "chain")
    test = pq.read_table(local_path(folder / "test.parquet"), columns=list(names), filters=[("label", "=", 1)])
    rows = EquationColumns(**{name: test[name].to_pylist() for name in names})
    depths = (min(rows.depth, default=0), max(rows.depth, default=0))
    write_questions(folder, rows, _prefixes(folder / "train.parquet"), _BLANKS_PER_DEPTH, depths, Random(f"{seed}/blanks"))


def _prefixes(path: Path) -> Iterator[str]:
    with pq.ParquetFile(local_path(path)) as file:
        for batch in file.iter_batches(columns=["prefix"]):
            yield from batch["prefix"].to_pylist()


def _write_manifest(
    folder: Path, settings: ImportSettings, described: list[dict[str, Any]], report: ImportReport, counts: dict[str, Any]
) -> dict[str, Any]:
    files = {path.name: describe_table(path) for path in sorted(folder.glob("*.parquet"))}
    manifest = {
        "version": __version__,
        "importer": IMPORTER,
        "seed": settings.seed,
        "settings": asdict(settings),
        "sources": described,
        "import": report.to_json(),
        "counts": counts,
        "files": files,
    }
    write_json(folder / "manifest.json", manifest)
    return manifest


# -- what a person is told -----------------------------------------------------------------------------------------------


def _add_notes(report: ImportReport, assigned: Assignment, store: RowStore, settings: ImportSettings) -> None:
    """Add what a researcher should know: repeated and contradictory rows, overlapping and one-sided splits."""
    label, counts, notes = store.column("label"), report.counts, report.notes
    counts["repeated"] = len(assigned.group) - len(np.unique(assigned.group))
    both = np.intersect1d(assigned.group[label == 1], assigned.group[label == 0])
    counts["contradictory"], counts["overlap"] = len(both), assigned.overlap
    some_dropped = settings.overlap == "drop" and assigned.overlap > 0  # a note below says how many
    repeated = "with an equation that occurs before, up to names of variables and order" + ": kept" * (not some_dropped)
    facts = {
        "labelled_by_check": ("label", "given by the numeric check"),
        "confirmed": ("label", "confirmed by the numeric check"),
        "unchecked": ("label", "kept that the check cannot decide"),
        "renamed": ("equation", "with variables that models do not know: renamed to x, y, z, ..."),
        "repeated": ("row", repeated),
    }
    notes += [count_of(counts[name], *words) for name, words in facts.items() if counts[name]]
    if len(both):
        first = [int(store.column("line")[(assigned.group == both[0]) & (label == k)][0]) for k in (1, 0)]
        where = f"with both labels, for example in lines {min(first)} and {max(first)}"
        notes.append(count_of(len(both), "equation", where))
    if assigned.are_names_ignored:
        notes.append("no file is named as training data, so all rows were divided into train, validation and test")
    if assigned.overlap:
        done = "left out" if settings.overlap == "drop" else "kept; --overlap drop leaves them out"
        notes.append(count_of(assigned.overlap, "training row", f"with an equation of a validation or test file: {done}"))
    for number, name in enumerate(SPLITS):
        if len(found := np.unique(label[assigned.split == number])) == 1:
            notes.append(f"all {name} equations are {'correct' if found[0] else 'incorrect'}: accuracy there says little")


def _card(sources: Sequence[Source], settings: ImportSettings) -> CardText:
    names = [source.name for source in sources]
    command = shlex.join(["treesmu", "data", "import", *names, "--out", "FOLDER", "--seed", str(settings.seed)])
    rules = "compared with the numeric check" if settings.check else "not checked"
    return CardText(
        title=f"Equations of {names[0]}" + (f" and {count_of(len(names) - 1, 'more file')}" if len(names) > 1 else ""),
        origin=f"Imported with treesmu {__version__}; `manifest.json` has the checksums of the files, all settings and what "
        f"was left out.\n\n    {command}\n\nEquations that differ only in the names of variables, the order of terms or of "
        "sides are in one split, unless the files themselves say otherwise.",
        labels=f"Labels that the files give were {rules} (disagreements: {settings.disagreements}). Equations without a label "
        "have the verdict of the numeric check; those that it cannot decide were left out.",
        limits=("The equations and their labels are those of the files; treesmu has not made them.",),
        version=__version__,
    )
