"""The explorer's service for tests: small models in files, and a running command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from traces import small_model
from treesmu.models.store import save
from treesmu.web.catalogue import ModelFile
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


@contextmanager
def running_command(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``treesmu serve`` at a free port; yield the process and the address that it prints. It is ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "treesmu", "serve", "--port", "0", *options], env=os.environ | {"PYTHONUNBUFFERED": "1"},
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
