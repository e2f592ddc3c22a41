"""Small corpora that the tests share: made once for each worker of pytest."""

from __future__ import annotations

import pytest

from treesmu.engine import engine
from treesmu.generate.corpus import Corpus, grow_corpus
from treesmu.generate.settings import CorpusSettings

SMALL = {"seed": 3, "train_size": 600, "validation_size": 100, "per_depth": 40, "depths": (1, 7), "test_depths": (1, 9)}


def grow(**changes: object) -> Corpus:
    """A small corpus, grown in this process."""
    with engine("local", 1) as run:
        return grow_corpus(CorpusSettings(**{**SMALL, **changes}), run)


@pytest.fixture(scope="session")
def plain() -> Corpus:
    """Near misses only, as in the preset ``quick``."""
    return grow()


@pytest.fixture(scope="session")
def mixed() -> Corpus:
    """Both kinds of negatives, variables named by first occurrence, more correct than incorrect."""
    both = ("near-miss", "mutation")
    return grow(negatives=both, test_negatives=both, first_occurrence=True, correct_share=0.56)


@pytest.fixture(params=["plain", "mixed"])
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return request.getfixturevalue(request.param)
