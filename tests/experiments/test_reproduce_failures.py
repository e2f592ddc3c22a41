"""Runs and analyses that fail are reported with their logs and tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tiny_presets import outcome
from treesmu.engine import open_executor
from treesmu.experiments.reproduce import Reproduction

pytestmark = pytest.mark.usefixtures("one_thread")


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
    assert "settings.json: damaged, not a JSON object" in error
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
