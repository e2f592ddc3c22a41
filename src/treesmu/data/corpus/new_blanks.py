"""Put blanks into equations: where a candidate stands, it can be asked for."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from treesmu.errors import DataError
from treesmu.expr import Expr, TreePath

from .blanks import Blanks, Candidates
from .dataset import Dataset


def paths_of_candidates(e: Expr, candidates: Container[Expr]) -> list[TreePath]:
    """Return the paths at which a leaf or a function of leaves is a candidate (never the root: no candidate is an equation)."""
    return [path for path, part in e.paths() if part.depth <= 1 and part in candidates]


def make_blanks(data: Dataset, candidates: Candidates, count: int, rng: np.random.Generator) -> Blanks:
    """Return blanks in random correct equations, one in each, at most ``count``."""
    known = set(candidates.fillers)
    equations: list[Expr] = []
    paths: list[TreePath] = []
    rows: list[int] = []
    correct = np.flatnonzero(data.label == 1)
    shuffled = data.take(rng.permutation(correct))
    for row, e in zip(shuffled.row.tolist(), shuffled.iter_expressions(), strict=True):
        if len(equations) == count:
            break
        if places := paths_of_candidates(e, known):
            equations.append(e)
            paths.append(places[int(rng.integers(len(places)))])
            rows.append(row)
    if not equations:
        raise DataError(f"{data.source}: no correct equation has a candidate of {candidates.source} in it to put a blank there")
    return Blanks(data.source, tuple(equations), tuple(paths), np.array(rows, np.int64))
