"""RunFolder: the files that a training run leaves. Each is there whole or not at all.

settings.json         what was trained on what
metrics.jsonl         a line an epoch
model.safetensors     the best on validation
last.safetensors      after the last epoch
resume.safetensors    all that is needed to go on (checkpoint.py)
test.json             measures overall and by depth
predictions.parquet   the probability of every test equation
completion.json       measures of completion, and ranks.parquet those of every blank (treesmu evaluate --task complete)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.data import DataError, Dataset
from treesmu.files import atomic_write, write_json

from .settings import TrainSettings

_REMEDY = "go on with the same, or train into another folder"


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings, self.metrics = path / "settings.json", path / "metrics.jsonl"
        self.model, self.last, self.state = (path / f"{name}.safetensors" for name in ("model", "last", "resume"))
        self.test, self.predictions = path / "test.json", path / "predictions.parquet"
        self.completion, self.ranks = path / "completion.json", path / "ranks.parquet"

    def open(self, wanted: dict[str, Any], resume: bool) -> bytes | None:
        """Refuse a folder that is not for this run, and write nothing. The checkpoint to go on from, if there is one.

        wanted: the identity of the run.
        """
        if self.path.exists() and not self.path.is_dir():
            raise DataError(f"{self.path}: a file, not a folder for a run; give another folder")
        if resume and self.settings.exists():
            self.check_settings(wanted["settings"])
            if self.stored_settings()["corpus"] != wanted["corpus"]:
                raise DataError(f"{self.path}: a run on another corpus; {_REMEDY}")
            return self.state.read_bytes() if self.state.exists() else None
        if self.path.exists() and any(file.suffix != ".part" for file in self.path.iterdir()):  # .part: of a run killed at once
            remedy = "give a new folder" if resume else "go on with --resume, or give a new folder"
            raise DataError(f"{self.path}: there is something already; {remedy}")
        return None

    def stored_settings(self) -> dict[str, Any]:
        """What settings.json says."""
        try:
            found = json.loads(self.settings.read_text(encoding="utf-8"))
            if isinstance(found["settings"], dict) and isinstance(found["corpus"], dict):
                return dict(found)
        except OSError as error:
            raise DataError(f"{self.settings}: cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise DataError(f"{self.settings}: not the settings of a run; train into another folder")

    def check_settings(self, wanted: dict[str, Any]) -> None:
        """Refuse a run that was begun with other settings."""
        there = self.stored_settings()["settings"]
        for name in [*wanted, *(name for name in there if name not in wanted)]:
            if there.get(name) != wanted.get(name):
                said = f"{name} {json.dumps(there.get(name))}, not {json.dumps(wanted.get(name))}"
                raise DataError(f"{self.path}: a run with other settings ({said}); {_REMEDY}")

    def start(self, content: dict[str, Any]) -> None:
        """Make the folder and its settings.json, unless they are there; clear away what a killed run had half written."""
        self.create()
        for left in self.path.glob("*.part"):
            with suppress(OSError):
                left.unlink()
        if not self.settings.exists():
            write_json(self.settings, content)

    def create(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{self.path}: cannot be made: {error.strerror or error}") from error

    def write_metrics(self, lines: list[dict[str, Any]]) -> None:
        with atomic_write(self.metrics) as temporary:
            temporary.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    def write_test(self, found: dict[str, Any], probability: NDArray[Any], dataset: Dataset) -> None:
        """The measures of a model on a data set and its predictions; test.json last: where it is, all is there."""
        columns = {name: getattr(dataset, name) for name in ("row", "depth", "label")}
        _write_table(self.predictions, {**columns, "probability": probability.astype(np.float32)})
        write_json(self.test, {"source": dataset.source, **found})

    def write_completion(self, found: dict[str, Any], ranks: Mapping[str, NDArray[Any]]) -> None:
        """The measures of completion and the ranks of every blank."""
        _write_table(self.ranks, ranks)
        write_json(self.completion, found)


def run_identity(settings: TrainSettings, corpus: Path) -> dict[str, Any]:
    """What tells one run from another: its settings, and the checksums of its corpus."""
    try:
        files = dict(json.loads((corpus / "manifest.json").read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{corpus}: no corpus with a manifest.json; make one: treesmu generate {corpus}") from error
    return {"settings": settings.model_dump(mode="json"), "corpus": files}


def _write_table(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with atomic_write(path) as temporary:
        pq.write_table(pa.table(dict(columns)), temporary, compression="zstd")
