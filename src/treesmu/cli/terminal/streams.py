"""Streams of training equations: the options of ``treesmu train --stream``, and what they open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treesmu.errors import DataError

from .imports import read_dataset

if TYPE_CHECKING:
    from treesmu.expr import Expr
    from treesmu.generate.stream.stream import EquationStream


def default_stream_jobs() -> int:
    """Return the number of jobs that generate: all cores but the one that trains."""
    from treesmu.engine import default_jobs

    return max(1, default_jobs() - 1)


@contextmanager
def open_stream(
    corpus: Path, settings: Any, engine: str, jobs: int | None, address: str | None
) -> Iterator[EquationStream | None]:
    """Open the stream that a run's settings ask for, with its workers, which end when it is closed; None if they ask for none.

    Wrong settings of the stream are refused before a worker is started.
    """
    if not settings.stream:
        yield None
        return
    from treesmu.data import Dataset
    from treesmu.engine import open_executor
    from treesmu.generate.stream.held_out import HeldOut
    from treesmu.generate.stream.settings import stream_settings
    from treesmu.generate.stream.stream import EquationStream

    chosen = stream_settings(corpus, settings.seed, settings.rows, settings.depths, settings.mixture)
    named = [e for path in settings.exclude for e in _equations_of(path)]
    held_out = HeldOut.of((Dataset.read(corpus, split) for split in ("validation", "test")), named)
    with open_executor(engine, jobs or default_stream_jobs(), address, beside=True) as executor:
        yield EquationStream(chosen, held_out, executor.in_order, executor.share)


def _equations_of(path: Path) -> list[Expr]:
    """Return all equations of a file or a corpus."""
    if not path.exists():
        raise DataError(f"--exclude {path}: there is no such file or folder")
    return read_dataset(path, "all").expressions()
