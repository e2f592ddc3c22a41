"""The OpenAPI document: complete, and true for every request that Schemathesis makes of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from explorer import service_in_this_process
from treesmu.web.catalogue import ModelFile
from treesmu.web.corpus import Corpus
from treesmu.web.service import Service

pytest.importorskip("fastapi", reason="the service needs FastAPI: pip install 'treesmu[web]'")
if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.xdist_group("explorer")
CONFIGURATION = Path(__file__).parent / "schemathesis.toml"
ADDRESSES = "about complete corpus explain health map map/place models neighbours read trace verify".split()


def _operations(client: TestClient) -> dict[str, Any]:
    paths = client.get("/api/openapi.json").json()["paths"]
    return {f"{method} {path}": operation for path, methods in paths.items() for method, operation in methods.items()}


def test_every_address_has_a_schema_for_answers_and_errors(client: TestClient) -> None:
    operations = _operations(client)
    assert sorted(name.split("/api/")[1] for name in operations) == ADDRESSES
    for operation in operations.values():
        assert operation["description"]
        assert {"200", "400", "404", "422", "429", "503"} <= operation["responses"].keys()
        for response in operation["responses"].values():
            assert response["content"]["application/json"]["schema"]


def test_schemathesis_finds_no_failure(corpus: Corpus, models: dict[str, ModelFile], tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("schemathesis")
    if not command.exists() and shutil.which("schemathesis") is None:
        pytest.skip("needs Schemathesis: pip install schemathesis")
    some = {name: models[name] for name in ("tree-smu", "lstm")}
    with service_in_this_process(Service(some, corpus, workers=2, seconds=600)) as address:
        done = subprocess.run(
            [str(command), "--config-file", str(CONFIGURATION), "run", f"{address}/api/openapi.json",
             "--max-examples", "5", "--seed", "1", "--request-timeout", "300", "--no-color"],
            capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "12 selected" in done.stdout
