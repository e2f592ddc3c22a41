"""A reproduction does everything once, however often it is interrupted and wherever its jobs run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commands import finish, kill_as_soon_as, run_with_ray
from paths import HELPERS
from tiny_presets import SMALLER, outcome, start_reproduction
from treesmu.data import DataError
from treesmu.engine import open_executor
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.files import lock_folder

REPRODUCE_ON_RAY = HELPERS / "reproduce_on_ray.py"


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.slow
def test_killed_and_resumed_gives_the_same_tables_number_for_number(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kill_as_soon_as(start_reproduction(tmp_path, 2), out, "runs/**/metrics.jsonl", 1)  # within a run
    kill_as_soon_as(
        start_reproduction(tmp_path, 2, "--resume"), out, "runs/**/test.json", 2
    )  # between runs, or at the analyses
    done = {file: file.stat().st_mtime_ns for file in out.rglob("test.json")}
    finish(start_reproduction(tmp_path, 1, "--resume"))
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
    with open_executor("local", 1) as executor, pytest.raises(DataError, match=f"{out}: cannot be written"):
        Reproduction(Preset("smaller", SMALLER, ""), out).run(executor)


@pytest.mark.xdist_group("ray")
@pytest.mark.slow
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
