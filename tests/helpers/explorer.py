"""The explorer's service for tests: small models in files, and a running command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from traces import small_model
from treesmu.data import Vocab
from treesmu.models import build
from treesmu.models.store import save
from treesmu.web.catalogue import ModelFile
from treesmu.web.service import Service
from treesmu.web.work.loaded_models import LoadedModel

EQUATION = "sin(x)^2 + cos(x)^2 = 1"
ADDRESS = "http://127.0.0.1"


def loaded(name: str = "tree-smu", **settings: Any) -> LoadedModel:
    """Return a small model with random weights, as a worker process has it."""
    return LoadedModel(name, small_model(name, **settings))


def save_models(folder: Path, *names: str) -> dict[str, ModelFile]:
    """Write small models of these kinds to a folder, and return them as the catalogue has them."""
    for name in names:
        save(small_model(name), folder / f"{name}.safetensors")
    return {name: ModelFile(folder / f"{name}.safetensors", False) for name in names}


def save_readers_of_numbers(folder: Path) -> Path:
    """Write a small Tree-SMU and a small Tree-LSTM that are made as the shipped models are, with random weights."""
    torch.manual_seed(5)
    for name, settings in (("tree-smu", {"hidden": 8, "stack": 3}), ("tree-lstm", {"hidden": 8})):
        model = build(name, Vocab.default(), settings, head="distance", norm="layer", points=3)
        save(model.eval(), folder / f"{name}.safetensors")
    return folder


@contextmanager
def running_command(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``treesmu serve`` at a free port; yield the process and the address that it prints. It is ended afterwards."""
    with _running("-m", "treesmu", "serve", "--port", "0", *options) as found:
        yield found


@contextmanager
def service_in_this_process(service: Service) -> Iterator[str]:
    """Serve from a thread of this process, whose workers need not load PyTorch; yield the address."""
    import uvicorn

    from treesmu.web.app import create_app
    from treesmu.web.server import open_socket, url_of

    server = uvicorn.Server(uvicorn.Config(create_app(service), log_level="critical", access_log=False, ws="none"))
    with open_socket("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield url_of(listening)  # who connects before the server is ready waits
        finally:
            server.should_exit = True
            thread.join()
            service.stop()
            service.join()


@contextmanager
def running_service(shipped: Path, corpus: Path) -> Iterator[str]:
    """Run the explorer with the models of a folder in place of the shipped ones; yield its address."""
    with _running("-c", _SERVE, str(shipped), str(corpus)) as (_, address):
        yield address


_SERVE = """
import multiprocessing
import sys
from pathlib import Path
from treesmu.data import Dataset
from treesmu.web.catalogue import find_models
from treesmu.web.corpus import Corpus
from treesmu.web.server import open_socket, serve, url_of
from treesmu.web.service import Service
from treesmu.web.work import pool

# Its processes start as copies of one that has loaded PyTorch; those of running_command start as they do for users.
pool._SPAWN = multiprocessing.get_context("forkserver")
pool._SPAWN.set_forkserver_preload(["treesmu.web.work.questions"])

if __name__ == "__main__":
    shipped, corpus = map(Path, sys.argv[1:])
    service = Service(find_models(shipped=shipped), Corpus(corpus.name, Dataset.read(corpus)), workers=2, seconds=600)
    with open_socket("127.0.0.1", 0) as listening:
        serve(service, listening, "127.0.0.1", lambda: print(url_of(listening), flush=True))
"""


@contextmanager
def _running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [sys.executable, *arguments], env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    with process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://\S+", line)
            assert found, line
            yield process, found.group()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60)
