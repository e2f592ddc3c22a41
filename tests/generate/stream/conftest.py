"""A tiny generated corpus, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from streams import write_generated


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_generated(tmp_path_factory.mktemp("stream") / "corpus")
