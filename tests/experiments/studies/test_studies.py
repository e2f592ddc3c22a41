"""Every study at a tiny scale: which files it writes, and that its numbers are what they claim to be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tiny_presets import TINY
from treesmu.data import Dataset, Forest
from treesmu.engine import open_executor
from treesmu.experiments.preset import STUDIES, Preset
from treesmu.experiments.probes.trained_model import load_trained, predictions, sample_each_depth, unit_states
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.studies.stack_size import IN_USE, StackSize
from treesmu.experiments.study import PlannedRun
from treesmu.models import save
from treesmu.tasks.verify import evaluate_verification


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reproduction]:
    threads = torch.get_num_threads()
    reproduction = Reproduction(Preset("tiny", TINY, "tiny"), tmp_path_factory.mktemp("tiny") / "out")
    events: list[tuple[str, dict[str, Any]]] = []
    with open_executor("local", 1) as executor:
        failed = reproduction.run(executor, lambda kind, facts: events.append((kind, facts)))
    assert failed == [], [facts["log"] for _, facts in events if facts.get("error")]
    yield reproduction
    torch.set_num_threads(threads)


def analyses_of(done: Reproduction, study: str) -> list[tuple[PlannedRun, dict[str, Any]]]:
    """Return the analyses of a study with their runs."""
    runs = done.preset.studies[study].analysed_runs(done.preset.setup)
    return [(run, json.loads(done.analysis_file(study, run).read_text())) for run in runs]


def test_every_run_is_tested_and_every_analysis_made(done: Reproduction) -> None:
    assert all(done.run_folder(run).test.exists() for run in done.runs)
    assert {path.name for path in (done.out / "analyses").iterdir()} == {
        "substitutivity", "step_by_step", "overgeneralisation", "completion", "stack_size",
    }  # fmt: skip
    assert done.pending_analyses() == []


def test_the_plan_contains_what_the_report_needs(done: Reproduction) -> None:
    plan = json.loads(done.plan.read_text())
    assert list(plan["studies"]) == list(STUDIES)
    for name, study in plan["studies"].items():
        assert study["title"] == STUDIES[name].title
        assert len(study["asks"]) > 100
        assert all((done.out / "runs" / run / "test.json").exists() for run in study["runs"])
        assert all((done.out / "analyses" / name / f"{run}.json").exists() for run in study["analyses"])
    assert list(plan["studies"]["stack_operations"]["runs"].values()) == ["push, pop, no-op", "queue"]


def test_runs_that_studies_share_are_trained_once(done: Reproduction) -> None:
    of_study = {name: {run.name for run in done.preset.studies[name].runs(done.preset.setup)} for name in done.preset.studies}
    shared = "tiny/depth-1-7/tree-smu/paper/seed-12093"
    assert {name for name, runs in of_study.items() if shared in runs} == {
        "productivity", "step_by_step", "completion", "sample_efficiency", "stack_size", "stack_operations",
    }  # fmt: skip
    assert len(done.runs) == len({run.name for run in done.runs}) == 14


# -- one study after the other ---------------------------------------------------------------------------------------------


def test_rows_in_use_are_those_of_the_sides_with_a_norm(done: Reproduction) -> None:
    """Compared with the trace of one equation at a time."""
    for run, found in analyses_of(done, "stack_size"):
        model = load_trained(done.run_folder(run).path)
        test = Dataset.read(done.corpus("tiny"), "test").select((3, 9))
        expected: dict[str, list[int]] = {}
        for e in test.expressions():
            memory = model.encoder.trace(forest := Forest.from_exprs([e]))["memory"]
            for root in forest.roots[0]:
                expected.setdefault(str(e.depth), []).append(int((memory[root].norm(dim=1) > IN_USE).sum()))
        assert found["stack"] == int(run.variant)
        assert {d: row["rows_in_use"] for d, row in found["by_depth"].items()} == {
            d: pytest.approx(np.mean(counts)) for d, counts in expected.items()
        }
        assert all(row["equations"] == 8 and len(row["norm"]) == found["stack"] for row in found["by_depth"].values())


def test_a_stack_that_nothing_is_pushed_to_is_not_in_use(done: Reproduction, tmp_path: Path) -> None:
    (run, _), *_ = analyses_of(done, "stack_size")
    model = load_trained(done.run_folder(run).path)
    with torch.no_grad():
        for parameter in model.encoder.wiring.parameters():
            parameter.zero_()  # u = 0
    save(model, tmp_path / "model.safetensors")
    found = StackSize(corpora=("tiny",)).analyse(run, tmp_path, done.corpus("tiny"))
    assert {row["rows_in_use"] for row in found["by_depth"].values()} == {0.0}


def test_step_by_step_compares_verdicts_before_and_after(done: Reproduction) -> None:
    for run, found in analyses_of(done, "step_by_step"):
        model, test = load_trained(done.run_folder(run).path), Dataset.read(done.corpus("tiny"), "test")
        assert set(found) == {"asked_with", "one_step", "all_steps"}
        for step in (found["one_step"], found["all_steps"]):
            assert step["equations"] == sum(row["equations"] for row in step["by_depth"].values()) <= len(test)
            assert 0 <= step["agreement"] <= 1
        overall = evaluate_verification(model, test)[0]["overall"]["accuracy"]
        if found["one_step"]["equations"] == len(test):
            assert found["one_step"]["accuracy_before"] == pytest.approx(overall)


def test_substitutivity_has_the_figure_its_numbers_and_the_agreement(done: Reproduction) -> None:
    ((run, found),) = analyses_of(done, "substitutivity")
    assert found["classes"][0] == "1"  # the tiny corpus has no expression of value 0
    assert {row["class"] for row in found["expressions"]} == set(range(len(found["classes"])))
    assert all(len(row["place"]) == 2 and 1 <= row["height"] <= 3 for row in found["expressions"])
    assert -1 <= found["silhouette"] <= 1
    assert 0 <= found["purity"] <= 1
    assert found["fresh"]["silhouette"] != found["silhouette"]
    assert set(found["replaced"]) == {"equations", "agreement", "accuracy_before", "accuracy_after", "by_depth"}
    assert run.settings.subexpressions


def test_completion_is_reported_by_depth_and_with_the_prior(done: Reproduction) -> None:
    ((_, found),) = analyses_of(done, "completion")
    assert set(found["by_depth"]) == {"8", "9"}
    assert found["by_depth"]["8"]["blanks"] == 2
    for ranks in (found["overall"], found["overall"]["prior"]):
        assert all(len(ranks[name]["top"]) == 10 for name in ("raw", "class", "collapse", "true"))


def test_overgeneralisation_has_one_row_per_epoch(done: Reproduction) -> None:
    ((run, found),) = analyses_of(done, "overgeneralisation")
    assert len(found["epochs"]) == run.settings.epochs == 3
    assert found["share"] == 0.5
    assert abs(found["exceptions"] - found["others"]) <= 1
    assert found["exceptions"] > 0


def test_parts_of_the_data_are_parts(done: Reproduction) -> None:
    runs = {run.variant: run for run in done.preset.studies["sample_efficiency"].runs(done.preset.setup)}
    rows = {share: json.loads(done.run_folder(run).settings.read_text())["rows"] for share, run in runs.items()}
    assert rows["1"] == done.preset.setup.rows("tiny")
    assert rows["0.5"] == round(0.5 * rows["1"])


# -- probes ----------------------------------------------------------------------------------------------------------------


def test_predictions_and_states_are_those_of_the_model(done: Reproduction) -> None:
    model = load_trained(done.run_folder(done.runs[-1]).path)
    test = Dataset.read(done.corpus("tiny"), "test")
    assert (predictions(model, test.prefix) == (evaluate_verification(model, test)[1] >= 0.5)).all()
    own = unit_states(model, ["sin x", "Mul 2 x"])
    expected = model.embed(["sin(x)", "2*x"])
    np.testing.assert_allclose(own, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-6)


def test_the_sample_of_each_depth_is_the_same_every_time(done: Reproduction) -> None:
    test = Dataset.read(done.corpus("tiny"), "test")
    first, again = (sample_each_depth(test, 3, seed=1) for _ in range(2))
    assert np.unique(first.depth, return_counts=True)[1].max() == 3
    assert first.row.tolist() == again.row.tolist() == sorted(first.row.tolist())
