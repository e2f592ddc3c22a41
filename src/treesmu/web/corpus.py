"""Corpus: the rows of a data set that the page shows, filtered and sorted by what a model says about them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data import Dataset
from treesmu.expr import Expr

from .listings import CorpusAnswer, CorpusFacts, CorpusRow, Status
from .requests import CorpusQuery

Array = NDArray[Any]
CHUNK = 2_000  # rows that a worker scores at once, so that other questions get their turn


class Scores:
    """The probabilities of a model for the rows of a corpus, as far as they are known: NaN where not, or not readable."""

    def __init__(self, rows: int) -> None:
        self.probability: Array = np.full(rows, np.nan)
        self.scored = 0
        self.fault: str | None = None

    @property
    def status(self) -> Status:
        """Whether all rows are scored."""
        if self.fault is not None:
            return "failed"
        return "ready" if self.scored == len(self.probability) else "computing"

    def add(self, found: list[float | None]) -> None:
        """Add the probabilities of the next rows."""
        self.probability[self.scored : self.scored + len(found)] = [np.nan if p is None else p for p in found]
        self.scored += len(found)


class Corpus:
    """A data set and its name."""

    def __init__(self, name: str, data: Dataset) -> None:
        self.name, self.data = name, data

    def facts(self) -> CorpusFacts:
        """Return what is in it."""
        depth, label = self.data.depth, self.data.label
        return CorpusFacts(
            name=self.name,
            rows=len(self.data),
            depths=(int(depth.min()), int(depth.max())) if len(depth) else (0, 0),
            kinds=sorted(set(self.data.kind.tolist())),
            labels=sorted({int(x) for x in np.unique(label)}, reverse=True),
        )

    def chunk(self, start: int) -> list[str]:
        """Return the next rows to be scored, as prefix strings."""
        found: list[str] = self.data.prefix.slice(start, CHUNK).to_pylist()
        return found

    def select(self, query: CorpusQuery, scores: Scores) -> CorpusAnswer:
        """Return the rows that a query asks for."""
        places = self._order(query, scores)
        shown = places[query.offset : query.offset + query.limit]
        part = self.data.take(shown)
        return CorpusAnswer(
            status=scores.status,
            scored=scores.scored,
            rows=len(self.data),
            matching=len(places),
            message=scores.fault,
            equations=[
                self._row(int(place), e, float(scores.probability[place]))
                for place, e in zip(shown.tolist(), part.iter_expressions(), strict=True)
            ],
        )

    def _order(self, query: CorpusQuery, scores: Scores) -> Array:
        """Return the places of the rows that match, in the order of the query."""
        data, probability = self.data, scores.probability
        keep = (query.depth_from <= data.depth) & (data.depth <= query.depth_to)
        if query.label is not None:
            keep &= data.label == query.label
        if query.kind is not None:
            keep &= data.kind == query.kind
        error = np.abs(np.where(data.label == 1, 1.0, 0.0) - probability)  # 1 for a sure mistake; NaN if not scored
        error[data.label < 0] = np.nan
        is_wrong = (probability >= 0.5) != (data.label == 1)
        if query.outcome is not None:
            keep &= ~np.isnan(error) & (is_wrong == (query.outcome == "wrong"))
        places = np.flatnonzero(keep)
        if query.sort == "confident_and_wrong":
            places = places[np.argsort(-np.nan_to_num(error[places], nan=-1.0), kind="stable")]
        return places

    def _row(self, place: int, e: Expr, probability: float) -> CorpusRow:
        data = self.data
        label, is_known = int(data.label[place]), not np.isnan(probability)
        return CorpusRow(
            row=int(data.row[place]),
            equation=str(e),
            mathml=e.mathml(),
            label=label,
            depth=int(data.depth[place]),
            size=int(data.size[place]),
            kind=str(data.kind[place]),
            probability=probability if is_known else None,
            is_right=(probability >= 0.5) == (label == 1) if is_known and label >= 0 else None,
        )
