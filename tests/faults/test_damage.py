"""Truncated files and flipped bits: a reader says so in one line, or reads what was written; never anything else.

Files of weights, checkpoints and corpora have checksums, so that no flipped bit goes unnoticed. JSON, which people read and
write, has none: there a flipped digit is another digit, and only what breaks the format is found.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpora import write_manifest, write_small_corpus
from small_runs import run, small
from sweeps import run_sweep
from treesmu.data import Candidates, DataError, Dataset
from treesmu.report.folder import Folder
from treesmu.training.run_folder import RunFolder
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

FLIPS = int(os.environ.get("TREESMU_FLIPS", "40"))  # of bits in each file
CUTS = max(3, FLIPS // 5)
pytestmark = pytest.mark.usefixtures("one_thread")


def damaged(content: bytes, rng: random.Random, number: int) -> bytes:
    """Return a file with a flipped bit, or one that ends too early."""
    if number < CUTS:
        return content[: rng.randrange(len(content))]
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def survives(file: Path, read: Callable[[], Any], seed: str) -> tuple[int, int]:
    """Damage a file in many ways; return how often the reader found it, and how often it read something else than before.

    A DataError of one line is a finding; any other exception is a failure of the test.
    """
    content, whole, rng = file.read_bytes(), read(), random.Random(seed)
    messages: list[str] = []
    wrong = 0
    try:
        for number in range(FLIPS + CUTS):
            file.write_bytes(damaged(content, rng, number))
            try:
                wrong += read() != whole
            except DataError as error:
                messages.append(str(error))
    finally:
        file.write_bytes(content)
    assert [message for message in messages if "\n" in message] == []
    return len(messages), wrong


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``corpus`` and a trained ``run``."""
    folder = tmp_path_factory.mktemp("damage")
    write_small_corpus(folder / "corpus", train=24, validation=6, test=6)
    run(folder / "corpus", folder / "run", few(), device="cpu")
    return folder


def few() -> TrainSettings:
    return small(model="tree-rnn", epochs=1, cell={"hidden": 2})


def test_every_damage_of_a_corpus_is_found(trained: Path) -> None:
    corpus = trained / "corpus"

    def read() -> Any:
        data = Dataset.read(corpus, "test")
        return data.prefix.to_pylist(), data.label.tolist()

    assert survives(corpus / "test.parquet", read, "corpus") == (FLIPS + CUTS, 0)


def test_damage_of_a_file_of_equations_without_a_manifest_is_one_line_or_another_equation(trained: Path) -> None:
    alone = trained / "alone.parquet"
    shutil.copyfile(trained / "corpus" / "test.parquet", alone)
    found, _ = survives(alone, lambda: Dataset.read(alone).expressions(), "alone")
    assert found >= CUTS


def test_every_damage_of_weights_is_found_or_changes_nothing(trained: Path) -> None:
    from treesmu.models.store import load

    file = trained / "run" / "model.safetensors"

    def read() -> Any:
        model = load(file)
        return {name: weight.tolist() for name, weight in model.state_dict().items()}, model.vocab.to_dict(), model.note

    found, wrong = survives(file, read, "weights")
    assert wrong == 0
    assert found >= FLIPS + CUTS - 5  # a space that fills the header up may have become another character that JSON skips


def test_every_damage_of_a_checkpoint_is_found_or_changes_nothing(trained: Path) -> None:
    def read() -> Any:
        trainer = Trainer(trained / "corpus", trained / "run", few(), resume=True, device="cpu")
        return {name: weight.tolist() for name, weight in trainer.model.state_dict().items()}, vars(trainer.progress)

    found, wrong = survives(trained / "run" / "resume.safetensors", read, "checkpoint")
    assert wrong == 0
    assert found >= FLIPS + CUTS - 5


@pytest.mark.parametrize("name", ["manifest.json"])
def test_damage_of_a_manifest_is_one_line_or_goes_unused(trained: Path, name: str) -> None:
    identity = RunFolder(trained / "run").stored_settings()["corpus"]

    def read() -> Any:
        Trainer(trained / "corpus", trained / "run", few(), resume=True, device="cpu")
        return identity

    assert survives(trained / "corpus" / name, read, name)[1] == 0


def test_damage_of_settings_is_one_line_or_another_setting(trained: Path) -> None:
    def read() -> None:
        Trainer(trained / "corpus", trained / "run", few(), resume=True, device="cpu")

    found, _ = survives(trained / "run" / "settings.json", read, "settings")
    assert found >= CUTS


@pytest.fixture(scope="module")
def reproduced(trained: Path) -> Path:
    """A folder as ``treesmu reproduce`` leaves it, with one run."""
    out, name = trained / "out", "tiny/depth-all/tree-rnn/paper/seed-12093"
    shutil.copytree(trained / "run", out / "runs" / name)
    study = {"title": "t", "asks": "a", "runs": {name: ""}, "analyses": [], "settings": {}}
    plan = {"version": "0", "name": "tiny", "begun": "x", "machines": [], "missing": {}}
    plan |= {"preset": {"corpora": {"tiny": {"preset": "paper"}}}, "studies": {"productivity": study}}
    (out / "plan.json").write_text(json.dumps(plan))
    return out


@pytest.mark.parametrize("name", ["plan.json", "settings.json", "test.json", "metrics.jsonl"])
def test_damage_of_the_files_of_a_report_is_one_line_or_another_number(reproduced: Path, name: str) -> None:
    (file,) = reproduced.rglob(name)

    def read() -> Any:
        folder = Folder(reproduced)
        return [(run.settings, run.test, run.epochs) for run in folder.runs]

    found, _ = survives(file, read, name)
    assert found >= CUTS - 1  # a cut at the end of a line leaves a shorter file that is as good


def test_every_damage_of_candidates_is_found(tmp_path: Path) -> None:
    table = pa.table({"prefix": ["x", "sin x", "2"], "class": [0, 1, 2]})
    pq.write_table(table, tmp_path / "candidates.parquet", compression="zstd")
    write_manifest(tmp_path)
    read = lambda: [*map(str, Candidates.read(tmp_path).fillers)]  # noqa: E731
    assert survives(tmp_path / "candidates.parquet", read, "candidates") == (FLIPS + CUTS, 0)


def test_damage_of_the_trials_of_a_sweep_is_one_line_or_another_number(trained: Path) -> None:
    """SQLite has no checksums: what breaks its structure is found, a flipped bit of a number is another number."""
    out = trained / "sweep"
    run_sweep(trained / "corpus", out, "cell.hidden=2,3", settings=few())
    states = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    rng, messages = random.Random("sqlite"), []
    for number in range((FLIPS + CUTS) // 4):
        (out / "optuna.db").write_bytes(damaged(states[out / "optuna.db"], rng, number))
        try:
            run_sweep(trained / "corpus", out, "cell.hidden=2,3", settings=few(), resume=True)
        except DataError as error:
            messages.append(str(error))
        for path, content in states.items():
            path.write_bytes(content)
    assert [message for message in messages if "\n" in message] == []
    assert len(messages) >= 3  # at least the files that end too early
