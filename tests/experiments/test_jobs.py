"""A job gets files and returns files, so that machines need not share a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from messages import message
from tiny_presets import TINY
from treesmu import registry
from treesmu.engine import open_executor
from treesmu.engine.in_process import InProcess
from treesmu.experiments import jobs
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.files import atomic_write
from treesmu.models.cells.tree_rnn import TreeRNN
from user_cell import loaded_plugin

OF_SCRIPT = type("OfScript", (TreeRNN,), {"__module__": "__main__", "hand_written": TreeRNN.hand_written})
STUDY_OF_SCRIPT = """
[studies.productivity]
corpora = ["tiny"]
recipes = ["paper"]
models = ["of-script"]
seeds = [1]
"""

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


# -- a user's models ---------------------------------------------------------------------------------------------------


def test_a_model_of_a_script_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    registry.register("of-script", OF_SCRIPT)
    (tmp_path / "mine.toml").write_text(TINY.partition("[studies.")[0] + STUDY_OF_SCRIPT)
    reproduction = Reproduction(Preset.read(str(tmp_path / "mine.toml")), tmp_path / "out")
    with open_executor("local", 2) as executor:
        said = message(reproduction.run, executor)
    assert said == (
        "model 'of-script' is registered by a script or a notebook, which worker processes cannot import; put it into a file "
        "of its own and load that: --plugin FILE.py, or treesmu.plugins.load_plugin in Python"
    )
    assert not (tmp_path / "out").exists()


def test_this_process_knows_its_own_models() -> None:
    registry.register("of-script", OF_SCRIPT)
    with open_executor("local", 1) as executor:
        jobs.check_models(executor, ["of-script", "tree-smu"])


def test_a_plugin_that_fails_in_a_worker_is_named_before_anything_is_written(tmp_path: Path) -> None:
    with loaded_plugin(tmp_path) as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr("treesmu.plugins._loaded", {"broken.py": "import no_such_package\n"})
        with open_executor("local", 2) as executor:
            said = message(jobs.check_models, executor, [name])
    assert said.startswith("model 'user-cell' in a worker process: plugin broken.py, line 1: ModuleNotFoundError: ")


def test_built_in_models_need_no_worker() -> None:
    class NoExecutor(InProcess):
        def _submit(self, *_: Any) -> Any:
            pytest.fail("a job was submitted")

    jobs.check_models(NoExecutor(), ["tree-smu", "lstm"])
