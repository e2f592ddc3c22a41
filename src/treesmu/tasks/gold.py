"""Gold equations: complete equations from which blanks were made, for verification, beside the same with a wrong filler.

Of the gold equations the recall is measured: how many does a model call correct? A wrong filler changes one place, as in
completion; of these equations the specificity is measured: how many does it call incorrect?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from treesmu.data import Blanks, Candidates, DataError, Dataset
from treesmu.expr import Expr
from treesmu.expr.numeric.equal_classes import is_undefined

GOLD, WRONG = "gold", "wrong filler"  # kinds of rows


def gold_equations(blanks: Blanks) -> Dataset:
    """Return the complete equations, labelled correct; they may still be wrong, as some of the authors' are."""
    return _dataset(blanks, blanks.equations, 1, GOLD)


def wrong_fillers(blanks: Blanks, candidates: Candidates, rng: np.random.Generator) -> Dataset:
    """Return every equation with a random filler of another class than its answer, labelled incorrect.

    Such an equation can hold all the same, as 0*_ = 0 does. Its depth is that of the blank's equation, so that both are
    counted together. Candidates without a value, such as 1/0, are not drawn.
    """
    usable = np.array([not is_undefined(e) for e in candidates.fillers])
    filled = []
    for e, path, answer in zip(blanks.equations, blanks.paths, blanks.answers(candidates).tolist(), strict=True):
        own_class = candidates.class_of[answer] if answer >= 0 else -1
        others = np.flatnonzero(usable & (candidates.class_of != own_class))
        if not len(others):
            raise DataError(f"{candidates.source}: all fillers have the same value; give candidates of several classes")
        filled.append(e.replace(path, candidates.fillers[rng.choice(others)]))
    return _dataset(blanks, filled, 0, WRONG)


def gold_and_wrong(blanks: Blanks, candidates: Candidates, seed: int = 0) -> Dataset:
    """Return the gold equations, then each with a wrong filler."""
    return gold_equations(blanks).extended(wrong_fillers(blanks, candidates, np.random.default_rng(seed)))


def gold_measures(overall: dict[str, Any]) -> dict[str, Any]:
    """Return recall and specificity with the numbers of equations and their mean. overall: measures of such a data set."""
    recall, specificity = overall["recall"], overall["specificity"]
    mean = None if recall is None or specificity is None else (recall + specificity) / 2
    counts = {"gold": overall["correct"], "wrong_fillers": overall["equations"] - overall["correct"]}
    return counts | {"recall": recall, "specificity": specificity, "mean": mean}


def _dataset(blanks: Blanks, equations: Iterable[Expr], label: int, kind: str) -> Dataset:
    made = Dataset.of(equations, [label] * len(blanks), kind)
    return replace(made, source=blanks.source, row=blanks.row, depth=blanks.depth.astype(made.depth.dtype))
