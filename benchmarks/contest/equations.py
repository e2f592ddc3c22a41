"""The equations of the race, the same for every contestant: a generated corpus, and the authors' blank files."""

from __future__ import annotations

import subprocess
import sys
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treesmu.data import CorpusPlan, Dataset, Vocab, read_authors
from treesmu.expr import Expr, from_prefix

# 34,000 test equations, 2,000 per depth except for depths 1 and 2, which have fewer; the other splits are not used.
GENERATE = "--preset hard --seed 1 --per-depth 2000 --train-size 1000 --validation-size 100".split()
REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
SEED = 1


class Equations:
    """Equations in memory. Every leaf has a row in the embedding, including decimals: no contestant has a number encoder."""

    def __init__(self, name: str, texts: list[str], labels: NDArray[np.integer]) -> None:
        self.name, self.texts = name, texts
        self.labels = labels.astype(np.float32)
        self.vocab = Vocab.from_prefix(texts, numbers=False)
        self.plan = CorpusPlan.from_prefix(texts, self.vocab)
        self.nodes = self.plan.size.astype(np.int64) - 1  # (rows,) of both sides, with repetitions; the = has no state
        self._exprs: dict[int, Expr] = {}

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Return all rows, shuffled."""
        return np.random.default_rng(SEED).permutation(len(self))

    def expr(self, row: int) -> Expr:
        if row not in self._exprs:
            self._exprs[row] = from_prefix(self.texts[row].split())
        return self._exprs[row]

    def describe(self) -> str:
        used = len(np.unique(self.plan.groups[:, 1]))
        depth, members = self.plan.depth, np.diff(self.plan.offsets)
        return (
            f"{self.name}: {len(self):,} equations of depth {depth.min()}-{depth.max()}, {used} functions, "
            f"{self.nodes.mean():.1f} nodes each, {members.mean():.1f} distinct"
        )


def generated(corpus: Path) -> Equations:
    """Return the test split of a generated corpus, which is made if it does not exist."""
    if not (corpus / "test.parquet").exists():
        command = [sys.executable, "-m", "treesmu", "generate", str(corpus), *GENERATE]
        print("treesmu generate", *command[4:], file=sys.stderr)
        subprocess.run(command, check=True, stdout=sys.stderr)
    rows = Dataset.read(corpus, "test")
    return Equations("generated", rows.prefix.to_pylist(), rows.label)


def blanks(folder: Path = REFERENCE) -> Equations | None:
    """Return the equations of the authors' blank files, or None if the files are absent.

    All of them are labelled correct, which is learned at once, so random labels are used instead.
    """
    files = sorted(folder.glob("*_blank_*.json"))
    examples = [example for file in files for depth in read_authors(file) for example in depth]
    if not examples:
        return None
    texts = [" ".join(example.equation.prefix()) for example in examples]
    return Equations("blanks", texts, np.random.default_rng(SEED).integers(0, 2, len(texts)))
