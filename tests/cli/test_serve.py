"""``treesmu serve``: starts at a free port, answers, ends at Ctrl-C, and refuses wrong input in one line."""

from __future__ import annotations

import json
import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from corpora import write_corpus
from explorer import running_command, save_models
from in_process import assert_refused, treesmu
from paths import HELPERS
from treesmu.plugins import load_plugin

pytest.importorskip("fastapi", reason="the service needs FastAPI: pip install 'treesmu[web]'")
pytest.importorskip("uvicorn", reason="the service needs uvicorn: pip install 'treesmu[web]'")

pytestmark = pytest.mark.xdist_group("explorer")


def _get(address: str) -> Any:
    """Return an answer. On a busy machine PyTorch may take so long to load that the service says to ask again."""
    for _ in range(20):
        try:
            with urllib.request.urlopen(address, timeout=300) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
    raise AssertionError(f"{address} was never answered")


def test_it_serves_the_given_models_and_corpus_until_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    load_plugin(HELPERS / "my_cell.py")
    save_models(tmp_path / "models", "my-cell")
    corpus = write_corpus(tmp_path / "corpus")
    options = ["--models", str(tmp_path / "models"), "--corpus", str(corpus), "--plugin", str(HELPERS / "my_cell.py")]
    with running_command(*options) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert _get(f"{address}/api/health")["status"] == "ok"
        assert _get(f"{address}/api/about")["corpus"]["name"] == "corpus"
        names = [model["name"] for model in _get(f"{address}/api/models")]
        assert (names[0], names[-1]) == ("tree-smu", "my-cell")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=300)
    assert (process.returncode, output, errors) == (130, "", "treesmu: interrupted\n")
    with pytest.raises(urllib.error.URLError):
        _get(f"{address}/api/health")


def test_a_port_in_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_refused(treesmu(capsys, "serve", "--port", port), f"port {port} is in use; choose another with --port")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--models", "missing"], "missing: there is no such folder; --models takes a folder of models or of runs"),
        (["--corpus", "missing"], "missing"),
        (["--port", "70000"], "--port"),
        (["--plugin", "missing.py"], "plugin missing.py: cannot be read"),
    ],
)
def test_wrong_input_is_refused(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(treesmu(capsys, "serve", *options), message)
