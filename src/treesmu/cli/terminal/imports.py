"""Files in place of a corpus: they are imported into the cache, with the progress and all messages on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from treesmu.errors import DataError

from .messages import say

if TYPE_CHECKING:
    from treesmu.data import Blanks, Candidates, Dataset
    from treesmu.engine import Executor

T = TypeVar("T")
_LISTED = 20  # bad examples
_LARGE = 2_000_000  # bytes from which on several processes are worth their start


def corpus_folder(path: Path) -> Path:
    """Return a corpus folder for a path: the path itself, or the import of a file or a folder of files."""
    from treesmu.importing.cache import corpus_of, is_corpus

    if is_corpus(path):
        return path
    with executor_for([path]) as executor, show_rows_read() as progress:
        return corpus_of(path, executor.in_order, say, progress)


def read_dataset(path: Path, split: str, with_infix: bool = False) -> Dataset:
    """Return the rows of a split of a corpus, or all rows of a file of any kind."""
    from treesmu.data import Dataset
    from treesmu.importing.cache import needs_import, read_equations

    if path.is_dir():
        return Dataset.read(corpus_folder(path), split, with_infix=with_infix)
    if not needs_import(path):
        with suppress(DataError):  # otherwise the import names what is wrong: checksums, or the rows that it leaves out
            return Dataset.read(path, with_infix=with_infix)
    with executor_for([path]) as executor, show_rows_read() as progress:
        return read_equations(path, executor.in_order, say, progress)


def read_blanks(path: Path) -> Blanks:
    """Return the blanks of a corpus or of the authors' files, of which bad examples are listed and left out."""
    from treesmu.data import Blanks

    return _without_faults(lambda skip: Blanks.read(path, skip), "bad example")


def read_candidates(path: Path) -> Candidates:
    """Return the candidates of a file, of which bad ones of the authors' files are listed and left out."""
    from treesmu.data import Candidates

    return _without_faults(lambda skip: Candidates.read(path, skip), "bad candidate")


def read_questions(data: Path, candidates: Path | None) -> tuple[Blanks, Candidates]:
    """Return the blanks and the candidates for them: of a corpus, of files of blanks, or of a file of equations, in which a
    blank is put into every correct equation that has a candidate in it.

    candidates: their file; by default candidates.parquet of the corpus, and for a file of equations all small fillers.
    """
    from treesmu.data.corpus.blanks import holds_blanks

    if data.is_file() and not holds_blanks(data):
        import numpy as np

        from treesmu.data.corpus.new_blanks import make_blanks

        rows = read_dataset(data, "all")  # first: the small fillers take longer than the refusal of a bad file
        fillers = _small_fillers() if candidates is None else read_candidates(candidates)
        return make_blanks(rows, fillers, len(rows), np.random.default_rng(0)), fillers
    data = data if holds_blanks(data) else corpus_folder(data)
    return read_blanks(data), read_candidates(candidates or _candidates_of(data))


def _candidates_of(data: Path) -> Path:
    """Return the file of candidates of the same corpus."""
    file = (data if data.is_dir() else data.parent) / "candidates.parquet"
    if not file.exists():
        raise DataError(f"{file}: there is no such file; name the candidates: --candidates FILE")
    return file


def _small_fillers() -> Candidates:
    """Return the candidates that every corpus has, without counts: it is not known which equations a model was trained on."""
    import numpy as np

    from treesmu.data import Candidates
    from treesmu.expr import from_prefix
    from treesmu.generate.blanks import make_candidates

    found = make_candidates()
    fillers = tuple(from_prefix(text.split()) for text in found.prefix)
    return Candidates("the candidates of every corpus", fillers, np.array(found.class_id, np.int64))


def _without_faults(read: Callable[[Callable[[str], None]], T], noun: str) -> T:
    """Return what a reader returns; the faults that it names are listed."""
    from treesmu.importing.report import count_of, with_rest

    faults: list[str] = []
    try:
        return read(faults.append)
    finally:  # also if nothing is left
        for line in with_rest(faults[:_LISTED], len(faults)):
            say(line)
        if faults:
            say(count_of(len(faults), noun, "left out"))


@contextmanager
def executor_for(paths: list[Path], jobs: int | None = None) -> Iterator[Executor]:
    """Open an executor for the import of files: this process for small ones, else one process per core."""
    from treesmu.engine import default_jobs, open_executor

    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    is_large = sum(file.stat().st_size for file in files) > _LARGE
    with open_executor("local", jobs or (default_jobs() if is_large else 1)) as executor:
        yield executor


@contextmanager
def show_rows_read() -> Iterator[Callable[[int], None]]:
    """Show how many rows have been read, on a terminal only; yield a function to be called with their number."""
    is_shown = sys.stderr.isatty()

    def show(rows: int) -> None:
        if is_shown:
            print(f"\r\033[K{rows:,} equations read", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
