"""The running service that the tests of the explorer share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from corpora import write_corpus
from explorer import ADDRESS, save_models
from treesmu.data import Dataset
from treesmu.web.catalogue import ModelFile
from treesmu.web.corpus import Corpus
from treesmu.web.service import Service

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModelFile]:
    """Three small models; the first is the default of the service."""
    return save_models(tmp_path_factory.mktemp("models"), "tree-smu", "tree-lstm", "lstm")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A small corpus."""
    return Corpus("small", Dataset.read(write_corpus(tmp_path_factory.mktemp("corpora") / "small")))


@pytest.fixture(scope="session")
def client(models: dict[str, ModelFile], corpus: Corpus) -> Iterator[TestClient]:
    """A client of a service with three small models and a corpus. Its tests are in one group, so that it is started once."""
    pytest.importorskip("fastapi", reason="the service needs FastAPI: pip install 'treesmu[web]'")
    from starlette.testclient import TestClient

    from treesmu.web.app import create_app

    service = Service(models, corpus, workers=2, seconds=120)
    with TestClient(create_app(service), base_url=ADDRESS) as found:
        yield found
    service.stop()
    service.join()
