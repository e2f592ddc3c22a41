"""RunFolder: the files of a training run, each written completely or not at all.

settings.json         settings, checksums of the corpus, versions and sizes
metrics.jsonl         one line per epoch
model.safetensors     the best model on validation
last.safetensors      the model after the last epoch
resume.safetensors    everything that is needed to resume (checkpoint.py)
test.json             measures overall and by depth
predictions.parquet   the probability of every test equation, or the prediction for every test tree or node
completion.json       measures of completion (treesmu evaluate --task complete)
ranks.parquet         the ranks of the answer of every blank
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from treesmu import registry
from treesmu.data import DataError
from treesmu.data.corpus.manifest import described_files
from treesmu.errors import cannot_write
from treesmu.files import PART, atomic_write, lock_folder, remove_unfinished, sha256_of
from treesmu.json_files import read_json, read_json_lines, write_json, write_json_lines
from treesmu.parquet_files import local_path
from treesmu.plugins import code_hash

from .settings import TrainSettings, with_present_names

_REMEDY = "resume it with the same, or train into another folder"
_MEASURE_AGAIN = "remove it and continue with --resume: it is measured again"


class RunFolder:
    """The paths of a run's files, and how they are written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings, self.metrics = path / "settings.json", path / "metrics.jsonl"
        self.model, self.last, self.checkpoint = (path / f"{name}.safetensors" for name in ("model", "last", "resume"))
        self.test, self.predictions = path / "test.json", path / "predictions.parquet"
        self.completion, self.ranks = path / "completion.json", path / "ranks.parquet"
        self.opened: tuple[str | None, ...] = (None, None)

    def open(self, wanted: dict[str, Any], resume: bool) -> bytes | None:
        """Return the checkpoint to resume from, if there is one. A folder that is not for this run is a DataError.

        wanted: the identity of the run. Nothing is written.
        """
        self.opened = self._state()  # before anything is read: what is read is as new as this, or newer
        self.require_usable(resume)
        if resume and self.settings.exists():
            self.check_settings(wanted["settings"])
            if self.stored_settings()["corpus"] != wanted["corpus"]:
                raise DataError(f"{self.path}: contains a run on another corpus; {_REMEDY}")
            if "stream" in wanted and self.stored_settings().get("stream") != wanted["stream"]:
                raise DataError(f"{self.path}: contains a run on another stream (exclude, own axioms); {_REMEDY}")
            if self.stored_settings().get("start") != wanted.get("start"):
                raise DataError(f"{self.path}: contains a run that started from other weights; {_REMEDY}")
            if self.stored_settings().get("code", wanted.get("code")) != wanted.get("code"):
                name = wanted["settings"]["model"]
                remedy = "resume it with the code as it was, or train into another folder"
                raise DataError(f"{self.path}: the code of the model {name!r} has changed since this run began; {remedy}")
            return self._read_checkpoint() if self.checkpoint.exists() else None
        return None

    def _read_checkpoint(self) -> bytes:
        """Return the content of the checkpoint. Raise a DataError for that of another run or a missing model."""
        from .checkpoint import read_progress  # loads PyTorch

        content = self.checkpoint.read_bytes()
        progress = read_progress(content)
        if progress is not None and progress.run not in ("", self._stored_identity()):
            raise DataError(f"{self.checkpoint}: of another run than {self.settings.name}; train into another folder")
        if progress is not None and progress.best_epoch >= 0 and not self.model.exists():
            remedy = f"remove {self.checkpoint.name} and continue with --resume: the run is trained again from the start"
            raise DataError(f"{self.model}: missing, the best model of this run; {remedy}")
        return content

    def require_usable(self, resume: bool) -> None:
        """Raise a DataError if the path is a file, or a folder of something else than a run to resume."""
        if self.path.exists() and not self.path.is_dir():
            raise DataError(f"{self.path}: a file, not a folder for a run; give another folder")
        if resume and self.settings.exists():
            return
        if self.path.exists() and any(file.suffix != PART for file in self.path.iterdir()):  # .part: left by a killed run
            remedy = "give a new folder" if resume else "continue with --resume, or give a new folder"
            raise DataError(f"{self.path}: the folder is not empty; {remedy}")

    def stored_settings(self) -> dict[str, Any]:
        """Return the content of settings.json."""
        remedy = "train into another folder"
        found = read_json(self.settings, remedy)
        if not (isinstance(found.get("settings"), dict) and found["settings"] and isinstance(found.get("corpus"), dict)):
            raise DataError(f"{self.settings}: not the settings of a run; {remedy}")
        return found

    def stored_test(self, measure: str) -> dict[str, Any]:
        """Return the content of test.json, which has this measure of all test rows; beside it, of training and validation."""
        found = read_json(self.test, _MEASURE_AGAIN)
        parts: list[Any] = [found.get(rows) for rows in ("overall", "train", "validation")]
        if not all(_are_measures(part) and measure in part and part.keys() == parts[0].keys() for part in parts):
            raise DataError(f"{self.test}: damaged, not the measures of a run; {_MEASURE_AGAIN}")
        return found

    def stored_scores(self, name: str) -> list[float]:
        """Return the score of each epoch, as metrics.jsonl calls it; nothing if there is no such file."""
        remedy = f"remove {self.path} and continue with --resume: it is trained again"
        lines = read_json_lines(self.metrics, remedy) if self.metrics.exists() else []
        scores: list[Any] = [line.get(name) for line in lines]
        if not all(isinstance(score, int | float) for score in scores):
            raise DataError(f"{self.metrics}: damaged, has no {name} of each epoch; {remedy}")
        return scores

    def check_settings(self, wanted: dict[str, Any]) -> None:
        """Raise a DataError if the run was started with other settings."""
        # Settings that treesmu did not have yet when the run was started are those of the defaults.
        found = with_present_names(self.stored_settings()["settings"])
        defaults = TrainSettings.of(task=found.get("task", "verify"), recipe="paper")
        stored = defaults.model_dump(mode="json") | found
        for name in [*wanted, *(name for name in stored if name not in wanted)]:
            if stored.get(name) != wanted.get(name):
                difference = f"{name} {json.dumps(stored.get(name))}, not {json.dumps(wanted.get(name))}"
                raise DataError(f"{self.path}: contains a run with other settings ({difference}); {_REMEDY}")

    def start(self, content: dict[str, Any]) -> str:
        """Create the folder and its settings.json unless they exist, and return the checksum of the run's identity.

        Files that a killed run has left unfinished are removed.
        """
        self.create()
        remove_unfinished(self.path)
        if not self.settings.exists():
            write_json(self.settings, content)
        return self._stored_identity()

    def _stored_identity(self) -> str:
        """Return a checksum of what settings.json says of the run's identity, without versions and sizes."""
        stored = self.stored_settings()
        identity = {name: stored.get(name) for name in ("settings", "corpus", "stream", "start", "code")}
        return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()

    @contextmanager
    def locked(self, patience: float = 0.0) -> Iterator[None]:
        """Create the folder unless it exists and lock it. Two processes that train the same run are a DataError.

        patience: seconds to wait for another process that has locked it.
        """
        self.create()
        with lock_folder(self.path, patience):
            if self._state() != self.opened:
                raise DataError(f"{self.path}: another process has trained this run meanwhile; continue with --resume")
            yield
            self.opened = self._state()

    def _state(self) -> tuple[str | None, ...]:
        """Return how far the run has come: the checksums of its settings and of its checkpoint; None where there is none."""
        return tuple(_checksum(file) for file in (self.settings, self.checkpoint))

    def create(self) -> None:
        """Create the folder and its parents unless they exist."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def write_metrics(self, lines: list[dict[str, Any]]) -> None:
        """Write metrics.jsonl, one line per epoch."""
        write_json_lines(self.metrics, lines)

    def write_test(self, measured: dict[str, Any], columns: Mapping[str, Any], source: str) -> None:
        """Write the predictions of a model on rows, then its measures: where test.json exists, both are complete."""
        _write_table(self.predictions, columns)
        write_json(self.test, {"source": source, **measured})

    def write_completion(self, measured: dict[str, Any], ranks: Mapping[str, NDArray[Any]]) -> None:
        """Write the ranks of every blank, then the measures of completion."""
        _write_table(self.ranks, ranks)
        write_json(self.completion, measured)


def run_identity(settings: TrainSettings, corpus: Path) -> dict[str, Any]:
    """Return what distinguishes one run of equations from another: see :func:`identity_of`."""
    return identity_of(settings, described_files(corpus))


def identity_of(settings: TrainSettings, files: dict[str, Any]) -> dict[str, Any]:
    """Return what distinguishes one run from another: its settings, the checksums of its data and of the weights that
    it starts from, and a user's own code.
    """
    code = None if settings.model in registry.BUILT_IN else code_hash(registry.model_class(settings.model))
    identity: dict[str, Any] = {"settings": settings.model_dump(mode="json"), "corpus": files}
    if settings.start_from is not None:
        if not settings.start_from.is_file():
            raise DataError(f"{settings.start_from}: there is no such file of weights to start from")
        identity["start"] = sha256_of(settings.start_from)
    return identity if code is None else identity | {"code": code}


def _are_measures(content: Any) -> bool:
    return isinstance(content, dict) and all(isinstance(value, int | float | None) for value in content.values())


def _checksum(file: Path) -> str | None:
    try:
        return sha256_of(file)
    except OSError:  # who reads it says what is wrong
        return None


def _write_table(path: Path, columns: Mapping[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with atomic_write(path) as temporary:
        pq.write_table(pa.table(dict(columns)), local_path(temporary), compression="zstd")
