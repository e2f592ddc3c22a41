"""The rows of generated corpora."""

from __future__ import annotations

from treesmu.expr import Expr, from_prefix
from treesmu.generate.columns import EquationColumns
from treesmu.generate.splits import SPLITS, GeneratedCorpus

TINY = {"train_size": 150, "validation_size": 20, "per_depth": 10, "depths": (1, 5), "test_depths": (1, 6), "seed": 8}


def equations(rows: EquationColumns) -> list[Expr]:
    return [from_prefix(p.split()) for p in rows.prefix]


def everything(corpus: GeneratedCorpus) -> list[tuple[str, EquationColumns]]:
    return [(name, corpus.splits[name].rows) for name in SPLITS]
