"""Small corpora that the tests share: made once for each worker of pytest."""

from __future__ import annotations

import pytest

from small_corpus import grow
from treesmu.generate.corpus import GeneratedCorpus


@pytest.fixture(scope="session")
def plain() -> GeneratedCorpus:
    """Near misses only, as in the preset ``quick``."""
    return grow()


@pytest.fixture(scope="session")
def mixed() -> GeneratedCorpus:
    """Both kinds of negatives, variables named by first occurrence, more correct than incorrect."""
    both = ("near-miss", "mutation")
    return grow(negatives=both, test_negatives=both, first_occurrence=True, correct_share=0.56)


@pytest.fixture(scope="session")
def numeric() -> GeneratedCorpus:
    """With numeric equations."""
    return grow(numeric=0.2)


@pytest.fixture(params=["plain", "mixed"])
def corpus(request: pytest.FixtureRequest) -> GeneratedCorpus:
    return request.getfixturevalue(request.param)
