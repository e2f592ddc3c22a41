"""Streams of equations for the tests: a generated corpus on disk, a real stream beside it, and one that needs no generator."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

from corpora import equations, many_rows
from generated import TINY
from small_corpus import generate_small
from treesmu.data import Dataset
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.engine import Executor
from treesmu.files import fresh_folder
from treesmu.generate.stream.held_out import HeldOut
from treesmu.generate.stream.settings import stream_settings
from treesmu.generate.stream.stream import EquationStream
from treesmu.generate.write import write_corpus
from treesmu.training.settings import TrainSettings

MIXTURE = {"near-miss": 2.0, "mutation": 1.0, "published": 1.0, "textbook": 1.0, "numeric": 0.3, "filler": 1.0, "slip": 0.5}


def write_generated(out: Path, **changes: Any) -> Path:
    """Generate a tiny corpus and write it."""
    with fresh_folder(out) as folder:
        write_corpus(generate_small(**{**TINY, **changes}), folder, "1.2.3")
    return out


def stream_of(corpus: Path, settings: TrainSettings, executor: Executor) -> EquationStream:
    """Return the stream that the settings of a run ask for."""
    assert settings.rows is not None
    chosen = stream_settings(corpus, settings.seed, settings.rows, settings.depths, settings.mixture)
    held_out = HeldOut.of(Dataset.read(corpus, split) for split in ("validation", "test"))
    return EquationStream(chosen, held_out, executor.in_order, executor.share)


class CountingStream:
    """A stream of small equations, always the same, that notes which parts were asked for and how often it was closed."""

    def __init__(self, rows: int) -> None:
        self.rows, self.made, self.closed = rows, [], 0
        self.made: list[int] = []

    def identity(self) -> dict[str, Any]:
        return {"rows": self.rows}

    def parts(self, numbers: range, planner: Planner) -> Generator[PlannedRows, None, None]:
        try:
            for number in numbers:
                self.made.append(number)
                rows = many_rows(self.rows, 1000 + number * self.rows)
                yield planner.plan(Dataset.of(equations(rows), [label for _, label, _ in rows]))
        finally:
            self.closed += 1
