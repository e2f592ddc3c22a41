"""A reproduction does everything once, however often it is interrupted and wherever its jobs run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commands import finish, kill_as_soon_as, run_with_ray
from paths import HELPERS
from tiny_presets import SMALLER, TINY, outcome
from treesmu.data import DataError
from treesmu.engine import open_executor
from treesmu.experiments import jobs
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.files import atomic_write, lock_folder
from user_cell import loaded_plugin, write_plugin

REPRODUCE_ON_RAY = HELPERS / "reproduce_on_ray.py"


pytestmark = pytest.mark.usefixtures("one_thread")


def start(folder: Path, jobs: int, *options: str) -> subprocess.Popen[str]:
    """treesmu reproduce into folder/out, in a process of its own."""
    (folder / "smaller.toml").write_text(SMALLER)
    command = [sys.executable, "-m", "treesmu", "reproduce", "--preset", "smaller.toml", "--out", "out", "--jobs", str(jobs)]
    return subprocess.Popen([*command, *options], cwd=folder, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reproduction that was not interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    finish(start(folder, 1))
    return folder / "out"


def test_killed_and_resumed_gives_the_same_tables_number_for_number(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kill_as_soon_as(start(tmp_path, 2), out, "runs/**/metrics.jsonl", 1)  # within a run
    kill_as_soon_as(start(tmp_path, 2, "--resume"), out, "runs/**/test.json", 2)  # between runs, or at the analyses
    done = {file: file.stat().st_mtime_ns for file in out.rglob("test.json")}
    finish(start(tmp_path, 1, "--resume"))
    assert {file: file.stat().st_mtime_ns for file in done} == done  # nothing is done twice
    ours, theirs = (outcome(folder, ("corpora", "runs", "analyses", "tables")) for folder in (out, whole))
    assert list(ours) == list(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []


def test_what_is_finished_is_not_done_again(whole: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in whole.rglob("*") if file.is_file() and file.name != "plan.json"}
    events: list[tuple[str, Any]] = []
    with open_executor("local", 1) as executor:
        failed = Reproduction(Preset("smaller", SMALLER, ""), whole, resume=True).run(
            executor, lambda *facts: events.append(facts)
        )
    assert failed == []
    assert events == [("runs", {"all": 3, "todo": 0})]
    assert {file: file.stat().st_mtime_ns for file in before} == before


def test_the_plan_keeps_its_start_time(whole: Path) -> None:
    plan = json.loads((whole / "plan.json").read_text())
    with open_executor("local", 1) as executor:
        Reproduction(Preset("smaller", SMALLER, ""), whole, resume=True).run(executor)
    again = json.loads((whole / "plan.json").read_text())
    assert (again["begun"], again["machines"]) == (plan["begun"], plan["machines"])


def test_a_folder_that_is_in_use_or_of_another_preset_is_refused(whole: Path, tmp_path: Path) -> None:
    mine = Preset("smaller", SMALLER, "")
    with pytest.raises(DataError, match="already contains a reproduction; continue it with --resume"):
        Reproduction(mine, whole)
    with pytest.raises(DataError, match="made with another corpus 'tiny'; give a new folder"):
        Reproduction(Preset("smaller", SMALLER.replace("train_size = 160", "train_size = 161"), ""), whole, resume=True)
    with pytest.raises(DataError, match="no study 'alchemy' in preset smaller; there are: overgeneralisation, stack_size"):
        Reproduction(mine, tmp_path / "new", only=["alchemy"])
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="exists and contains something else"):
        Reproduction(mine, tmp_path)
    assert not (tmp_path / "new").exists()


def test_a_run_that_was_trained_with_other_settings_is_refused_and_kept(whole: Path) -> None:
    """Otherwise a report would contain runs with different settings under one name."""
    tests = {file: file.read_bytes() for file in whole.rglob("test.json")}
    with pytest.raises(DataError, match=r"a run with other settings \(epochs 3, not 4\)"):
        Reproduction(Preset("smaller", SMALLER.replace("epochs = 3", "epochs = 4"), ""), whole, resume=True)
    assert {file: file.read_bytes() for file in tests} == tests


def test_a_folder_of_another_preset_is_left_as_it_is(whole: Path) -> None:
    """Otherwise a forgotten --preset would overwrite its plan."""
    before = (whole / "plan.json").read_bytes()
    with pytest.raises(DataError, match="made with preset smaller, not quick; continue with --preset smaller"):
        Reproduction(Preset.read("quick"), whole, resume=True)
    assert (whole / "plan.json").read_bytes() == before


def test_a_corpus_that_lost_a_part_is_an_error_with_a_remedy(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "out")
    manifest = next((tmp_path / "out" / "corpora").rglob("manifest.json"))
    manifest.unlink()
    mine = Reproduction(Preset("smaller", SMALLER, ""), tmp_path / "out", resume=True)
    with (
        open_executor("local", 1) as executor,
        pytest.raises(DataError, match="an incomplete corpus; remove it and continue with --resume"),
    ):
        mine.run(executor)


def test_an_analysis_with_other_settings_is_made_again(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "out")
    changed = Preset("smaller", SMALLER.replace("[studies.stack_size]", "[studies.stack_size]\nequations = 3"), "")
    events: list[tuple[str, Any]] = []
    for _ in range(2):
        with open_executor("local", 1) as executor:
            Reproduction(changed, tmp_path / "out", resume=True).run(executor, lambda *facts: events.append(facts))
    assert [facts for kind, facts in events if kind == "analyses"] == [{"all": 1, "todo": 1}]  # and the second time not
    (file,) = (tmp_path / "out" / "analyses" / "stack_size").rglob("*.json")
    assert {row["equations"] for row in json.loads(file.read_text())["by_depth"].values()} == {3}


def test_a_model_that_is_trained_again_is_analysed_again(whole: Path, tmp_path: Path) -> None:
    """Otherwise the analysis of the model that was removed would be reported with the test of its successor."""
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    file = next((out / "analyses" / "stack_size").rglob("*.json"))
    before = file.read_bytes()
    file.write_bytes(before.replace(b'"stack": ', b'"stack": 9'))
    shutil.rmtree((out / "runs" / file.relative_to(out / "analyses" / "stack_size")).with_suffix(""))
    with open_executor("local", 1) as executor:
        assert Reproduction(Preset("smaller", SMALLER, ""), out, resume=True).run(executor) == []
    assert file.read_bytes() == before


def test_two_processes_do_not_work_in_one_folder(whole: Path) -> None:
    mine = Reproduction(Preset("smaller", SMALLER, ""), whole, resume=True)
    with (
        lock_folder(whole),
        open_executor("local", 1) as executor,
        pytest.raises(DataError, match="another process is using this folder"),
    ):
        mine.run(executor)
    with open_executor("local", 1) as executor:
        assert mine.run(executor) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "out"
    with open_executor("local", 1) as executor, pytest.raises(DataError, match=f"{out}: cannot be created"):
        Reproduction(Preset("smaller", SMALLER, ""), out).run(executor)


# -- failures --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def begun(whole: Path, tmp_path: Path) -> Reproduction:
    """A reproduction with corpora, and nothing trained."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "corpora").symlink_to(whole / "corpora")
    (tmp_path / "out" / "plan.json").write_text((whole / "plan.json").read_text())
    return Reproduction(Preset("smaller", SMALLER, ""), tmp_path / "out", resume=True)


def run(reproduction: Reproduction) -> tuple[list[str], list[tuple[str, dict[str, Any]]]]:
    events: list[tuple[str, dict[str, Any]]] = []
    with open_executor("local", 1) as executor:
        return reproduction.run(executor, lambda *facts: events.append(facts)), events


def test_a_run_that_fails_is_reported_with_its_log_and_tried_again(begun: Reproduction, whole: Path) -> None:
    bad, *others = begun.runs
    folder = begun.run_folder(bad).path
    folder.mkdir(parents=True)
    (folder / "settings.json").write_text("nonsense")
    failed, events = run(begun)
    assert failed == [bad.name]
    (error,) = [facts["error"] for kind, facts in events if kind == "run" and facts["error"]]
    assert "not the settings of a run" in error
    log = (folder / "failed.log").read_text()
    assert error in log
    assert "Traceback" in log
    assert all(begun.run_folder(run).test.exists() for run in others)
    (folder / "settings.json").unlink()
    assert run(begun)[0] == []
    assert not (folder / "failed.log").exists()
    assert outcome(begun.out, ("analyses",)) == outcome(whole, ("analyses",))


def test_an_analysis_that_fails_is_reported_with_its_log_and_tried_again(begun: Reproduction) -> None:
    run(begun)
    study = begun.preset.studies["stack_size"]
    bad = next(study.analysed_runs(begun.preset.setup))
    file, model = begun.analysis_file(study.name, bad), begun.run_folder(bad).model
    file.unlink()
    weights = model.read_bytes()
    model.write_bytes(b"nonsense")
    failed, _ = run(begun)
    assert failed == [f"stack_size: {bad.name}"]
    assert "DataError" in file.with_suffix(".log").read_text()
    model.write_bytes(weights)
    assert run(begun)[0] == []
    assert file.exists()
    assert not file.with_suffix(".log").exists()


# -- devices ---------------------------------------------------------------------------------------------------------------


def test_runs_are_trained_on_the_device_that_is_given(begun: Reproduction) -> None:
    """There is no accelerator here: a device that PyTorch cannot compute with shows where it arrives."""
    mine = Reproduction(begun.preset, begun.out, resume=True, device="abacus")
    failed, events = run(mine)
    assert failed == [run.name for run in mine.runs]
    assert {facts["error"] for kind, facts in events if kind == "run"} == {
        "DataError: unknown device 'abacus'; known: auto, cpu, cuda, cuda:N, mps"
    }


# -- machines that share no files ------------------------------------------------------------------------------------------


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


@pytest.mark.xdist_group("ray")
def test_ray_gives_the_same_results_without_shared_files(whole: Path, tmp_path: Path) -> None:
    """Only the source that test.json names differs: it was in a temporary folder of the worker."""
    pytest.importorskip("ray")
    (tmp_path / "smaller.toml").write_text(SMALLER)
    run_with_ray([str(REPRODUCE_ON_RAY), "smaller.toml", "out"], tmp_path)
    ours, theirs = (outcome(folder, ("corpora", "runs", "analyses")) for folder in (tmp_path / "out", whole))
    assert list(ours) == list(theirs)
    assert {Path(name).name for name in ours if ours[name] != theirs[name]} == {"test.json"}
    for name in [name for name in ours if name.endswith("test.json")]:
        mine, other = json.loads(ours[name]), json.loads(theirs[name])
        assert mine.pop("source") != other.pop("source")
        assert mine == other


# -- models of plugins -----------------------------------------------------------------------------------------------------

WITH_USER_CELL = (
    TINY[: TINY.index("[studies.productivity]")]
    + """
[studies.productivity]
corpora = ["tiny"]
models = ["tree-rnn", "user-cell"]
seeds = [1]

[studies.model_size]
corpora = ["tiny"]
recipes = ["paper"]
models = ["user-cell"]
sizes = [5, 7]
seeds = [1]

[studies.substitutivity]
corpora = ["tiny"]
recipes = ["treesmu"]
models = ["user-cell"]
classes = 4
per_class = 8
seeds = [1]
"""
)


@pytest.fixture(scope="module")
def with_user_cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reproduction with a plugin's cell in two local processes, interrupted and resumed; the plugin's file is gone."""
    folder = tmp_path_factory.mktemp("plugin")
    out = folder / "out"
    logs: list[str] = []

    class InterruptedError(Exception):
        pass

    def interrupt(event: str, _: dict[str, Any]) -> None:
        if event == "run":
            raise InterruptedError

    with loaded_plugin(folder):
        mine = Preset("mine", WITH_USER_CELL, "")
        with pytest.raises(InterruptedError), open_executor("local", 2) as executor:
            Reproduction(mine, out).run(executor, interrupt)
        with open_executor("local", 2) as executor:
            Reproduction(mine, out, resume=True).run(executor, lambda _, facts: logs.append(facts.get("log", "")))
    assert "".join(logs) == ""
    return out


def test_a_plugins_cell_is_reproduced_by_local_processes_also_after_resume(with_user_cell: Path) -> None:
    tested = with_user_cell.glob("runs/tiny/depth-1-7/*/*/seed-1/test.json")
    assert sorted("/".join(file.parts[-4:-2]) for file in tested) == [
        "tree-rnn/paper", "tree-rnn/treesmu", "user-cell/paper", "user-cell/paper,hidden=7", "user-cell/treesmu",
    ]  # fmt: skip
    (file,) = (with_user_cell / "analyses" / "substitutivity").rglob("*.json")
    assert "user-cell" in str(file)


@pytest.mark.xdist_group("ray")
def test_a_plugins_cell_is_reproduced_by_a_ray_cluster(with_user_cell: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "mine.toml").write_text(WITH_USER_CELL)
    run_with_ray([str(REPRODUCE_ON_RAY), "mine.toml", "out", str(write_plugin(tmp_path))], tmp_path)
    ours, theirs = (outcome(folder, ("runs", "analyses")) for folder in (tmp_path / "out", with_user_cell))
    assert list(ours) == list(theirs)
    assert {Path(name).name for name in ours if ours[name] != theirs[name]} == {"test.json"}  # which names its source
