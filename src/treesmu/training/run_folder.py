"""RunFolder: the files of a training run, each written completely or not at all.

settings.json         settings, checksums of the corpus, versions and sizes
metrics.jsonl         one line per epoch
model.safetensors     the best model on validation
last.safetensors      the model after the last epoch
resume.safetensors    everything that is needed to resume (checkpoint.py)
test.json             measures overall and by depth
predictions.parquet   the probability of every test equation
completion.json       measures of completion (treesmu evaluate --task complete)
ranks.parquet         the ranks of the answer of every blank
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu import registry
from treesmu.data import DataError, Dataset
from treesmu.data.corpus.manifest import described_files
from treesmu.files import atomic_write, write_json
from treesmu.plugins import code_hash

from .settings import TrainSettings, with_present_names

_REMEDY = "resume it with the same, or train into another folder"


class RunFolder:
    """The paths of a run's files, and how they are written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings, self.metrics = path / "settings.json", path / "metrics.jsonl"
        self.model, self.last, self.checkpoint = (path / f"{name}.safetensors" for name in ("model", "last", "resume"))
        self.test, self.predictions = path / "test.json", path / "predictions.parquet"
        self.completion, self.ranks = path / "completion.json", path / "ranks.parquet"

    def open(self, wanted: dict[str, Any], resume: bool) -> bytes | None:
        """Return the checkpoint to resume from, if there is one. A folder that is not for this run is a DataError.

        wanted: the identity of the run. Nothing is written.
        """
        self.require_usable(resume)
        if resume and self.settings.exists():
            self.check_settings(wanted["settings"])
            if self.stored_settings()["corpus"] != wanted["corpus"]:
                raise DataError(f"{self.path}: contains a run on another corpus; {_REMEDY}")
            if "stream" in wanted and self.stored_settings().get("stream") != wanted["stream"]:
                raise DataError(f"{self.path}: contains a run on another stream (exclude, own axioms); {_REMEDY}")
            if self.stored_settings().get("code", wanted.get("code")) != wanted.get("code"):
                name = wanted["settings"]["model"]
                remedy = "resume it with the code as it was, or train into another folder"
                raise DataError(f"{self.path}: the code of the model {name!r} has changed since this run began; {remedy}")
            return self.checkpoint.read_bytes() if self.checkpoint.exists() else None
        return None

    def require_usable(self, resume: bool) -> None:
        """Raise a DataError if the path is a file, or a folder of something else than a run to resume."""
        if self.path.exists() and not self.path.is_dir():
            raise DataError(f"{self.path}: a file, not a folder for a run; give another folder")
        if resume and self.settings.exists():
            return
        if self.path.exists() and any(file.suffix != ".part" for file in self.path.iterdir()):  # .part: left by a killed run
            remedy = "give a new folder" if resume else "continue with --resume, or give a new folder"
            raise DataError(f"{self.path}: the folder is not empty; {remedy}")

    def stored_settings(self) -> dict[str, Any]:
        """Return the content of settings.json."""
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
        """Raise a DataError if the run was started with other settings."""
        # Settings that treesmu did not have yet when the run was started are those of the defaults.
        stored = TrainSettings.of().model_dump(mode="json") | with_present_names(self.stored_settings()["settings"])
        for name in [*wanted, *(name for name in stored if name not in wanted)]:
            if stored.get(name) != wanted.get(name):
                difference = f"{name} {json.dumps(stored.get(name))}, not {json.dumps(wanted.get(name))}"
                raise DataError(f"{self.path}: contains a run with other settings ({difference}); {_REMEDY}")

    def start(self, content: dict[str, Any]) -> None:
        """Create the folder and its settings.json unless they exist; remove files that a killed run has left unfinished."""
        self.create()
        for unfinished in self.path.glob("*.part"):
            with suppress(OSError):
                unfinished.unlink()
        if not self.settings.exists():
            write_json(self.settings, content)

    def create(self) -> None:
        """Create the folder and its parents unless they exist."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{self.path}: cannot be created: {error.strerror or error}") from error

    def write_metrics(self, lines: list[dict[str, Any]]) -> None:
        """Write metrics.jsonl, one line per epoch."""
        with atomic_write(self.metrics) as temporary:
            temporary.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    def write_test(self, measured: dict[str, Any], probability: NDArray[Any], dataset: Dataset) -> None:
        """Write the predictions of a model on a data set, then its measures: where test.json exists, both are complete."""
        columns = {name: getattr(dataset, name) for name in ("row", "depth", "label")}
        _write_table(self.predictions, {**columns, "probability": probability.astype(np.float32)})
        write_json(self.test, {"source": dataset.source, **measured})

    def write_completion(self, measured: dict[str, Any], ranks: Mapping[str, NDArray[Any]]) -> None:
        """Write the ranks of every blank, then the measures of completion."""
        _write_table(self.ranks, ranks)
        write_json(self.completion, measured)


def run_identity(settings: TrainSettings, corpus: Path) -> dict[str, Any]:
    """Return what distinguishes one run from another: its settings, the checksums of its corpus, and a user's own code."""
    code = None if settings.model in registry.BUILT_IN else code_hash(registry.model_class(settings.model))
    identity = {"settings": settings.model_dump(mode="json"), "corpus": described_files(corpus)}
    return identity if code is None else identity | {"code": code}


def _write_table(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with atomic_write(path) as temporary:
        pq.write_table(pa.table(dict(columns)), temporary, compression="zstd")
