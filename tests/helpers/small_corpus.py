"""Small corpora that are generated in seconds."""

from __future__ import annotations

from treesmu.engine import open_executor
from treesmu.generate.corpus import generate_corpus
from treesmu.generate.settings import CorpusSettings
from treesmu.generate.splits import GeneratedCorpus

SMALL = {"seed": 3, "train_size": 600, "validation_size": 100, "per_depth": 40, "depths": (1, 7), "test_depths": (1, 9)}


def generate_small(**changes: object) -> GeneratedCorpus:
    """Generate a small corpus in this process."""
    with open_executor("local", 1) as executor:
        return generate_corpus(CorpusSettings(**{**SMALL, **changes}), executor.in_order)
