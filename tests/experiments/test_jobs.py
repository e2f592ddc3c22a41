"""A job gets files and returns files, so that machines need not share a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from treesmu.experiments import jobs
from treesmu.experiments.reproduce import Reproduction
from treesmu.files import atomic_write

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_folder_that_travels_as_files_gives_the_same_run(whole: Path, begun: Reproduction) -> None:
    """Also one that was interrupted: it continues from its checkpoint."""
    mine = begun.runs[0]
    corpus = jobs.read_files(begun.corpus(mine.corpus))
    _, files = jobs.train(corpus, {}, mine.settings.model_dump(mode="json"))
    there = jobs.read_files(whole / "runs" / mine.name)
    assert set(files) == set(there)
    for name in ("model.safetensors", "last.safetensors", "predictions.parquet", "settings.json", "exceptions.jsonl"):
        assert files[name] == there[name], name
    half = {name: content for name, content in files.items() if name not in ("test.json", "predictions.parquet")}
    assert (
        jobs.train(corpus, half, mine.settings.model_dump(mode="json"))[1]["predictions.parquet"]
        == files["predictions.parquet"]
    )


def test_files_are_written_with_the_last_one_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"test.json": b"1", "a": b"2", "z": b"3", "settings.json": b"4"}
    written: list[str] = []

    @contextmanager
    def note(path: Path) -> Iterator[Path]:
        written.append(path.name)
        with atomic_write(path) as temporary:
            yield temporary

    monkeypatch.setattr(jobs, "atomic_write", note)
    jobs.write_files(files, tmp_path / "run", last="test.json")
    assert written == ["settings.json", "a", "z", "test.json"]
    assert jobs.read_files(tmp_path / "run", ("a",)) == {"a": b"2"}
    assert jobs.read_files(tmp_path / "nothing") == {}
