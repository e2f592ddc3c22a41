"""A small corpus for the tests of training."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_small_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("training") / "corpus")
