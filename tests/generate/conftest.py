"""Small corpora that the tests share: made once for each worker of pytest."""

from __future__ import annotations

import pytest

from small_corpus import generate_small
from treesmu.generate.splits import GeneratedCorpus


@pytest.fixture(scope="session")
def plain() -> GeneratedCorpus:
    """Return a corpus with near misses only, as in the preset ``quick``."""
    return generate_small()


@pytest.fixture(scope="session")
def mixed() -> GeneratedCorpus:
    """Return a corpus with both kinds of negatives, variables named by first occurrence, and 56% correct equations."""
    both = ("near-miss", "mutation")
    return generate_small(negatives=both, test_negatives=both, first_occurrence=True, correct_share=0.56)


@pytest.fixture(scope="session")
def numeric() -> GeneratedCorpus:
    """Return a corpus with numeric equations."""
    return generate_small(numeric=0.2)


@pytest.fixture(params=["plain", "mixed"])
def corpus(request: pytest.FixtureRequest) -> GeneratedCorpus:
    return request.getfixturevalue(request.param)
