"""plan.json: written for the report, and compared when a reproduction continues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tiny_presets import tiny_preset
from treesmu import __version__
from treesmu.data import DataError
from treesmu.experiments.plan import check_plan, write_plan
from treesmu.experiments.preset import Preset

SIZES = {"recipes": ["paper"], "sizes": [1, 2]}


def preset(name: str = "mine", seed: int = 1, **studies: dict[str, object]) -> Preset:
    return Preset(name, tiny_preset(**(studies or {"stack_size": SIZES})).replace("seed = 1", f"seed = {seed}"), name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_plan(tmp_path / "plan.json", preset())
    return tmp_path / "plan.json"


def test_the_plan_says_what_the_report_needs(file: Path) -> None:
    plan = json.loads(file.read_text())
    assert (plan["version"], plan["name"]) == (__version__, "mine")
    assert plan["preset"]["corpora"]["tiny"]["train_size"] == 160
    study = plan["studies"]["stack_size"]
    run = "tiny/depth-1-7/tree-smu/paper{}/seed-12093"
    assert study["title"] == "Stack size"
    assert study["asks"].startswith("Stack size: does a larger stack help, and how much of it is used?\n\nTree-SMU trained")
    assert study["runs"] == {run.format(",stack=1"): "1", run.format(""): "2"}
    assert study["analyses"] == list(study["runs"])
    (machine,) = plan["machines"]
    assert set(machine) == {"system", "processor", "cores", "python"}
    assert machine["processor"]


def test_a_study_without_an_analysis_has_none(tmp_path: Path) -> None:
    write_plan(tmp_path / "plan.json", preset(localism={"models": ["tree-rnn"]}))
    study = json.loads((tmp_path / "plan.json").read_text())["studies"]["localism"]
    assert (len(study["runs"]), study["analyses"]) == (2, [])


def test_a_plan_that_is_written_again_keeps_its_start_and_its_machines(file: Path) -> None:
    plan = json.loads(file.read_text())
    plan["begun"], other = "2020-01-01T00:00:00+00:00", {"system": "another", "cores": 99}
    plan["machines"].insert(0, other)
    file.write_text(json.dumps(plan))
    write_plan(file, preset(localism={"models": ["tree-rnn"]}))
    again = json.loads(file.read_text())
    assert (again["begun"], again["machines"]) == (plan["begun"], plan["machines"])  # this machine is there once
    assert list(again["studies"]) == ["localism"]


def test_a_reproduction_may_continue_with_other_studies_and_further_corpora(file: Path) -> None:
    check_plan(file, preset())
    check_plan(file, preset(localism={"models": ["tree-rnn"]}))


@pytest.mark.parametrize("used", ["corpora/tiny", "runs/tiny/depth-all", "runs/tiny+flipped/depth-all"])
def test_another_preset_or_corpus_is_refused(file: Path, used: str) -> None:
    (file.parent / used).mkdir(parents=True)
    with pytest.raises(DataError, match="made with preset mine, not other; continue with --preset mine"):
        check_plan(file, preset("other"))
    with pytest.raises(DataError, match="made with another corpus 'tiny'; give a new folder"):
        check_plan(file, preset(seed=2))


def test_a_plan_of_other_corpora_only_is_that_of_another_reproduction(file: Path) -> None:
    """As with a user's own corpus of another name."""
    renamed = tiny_preset(stack_size=SIZES | {"corpora": ["mine"]}).replace("[corpora.tiny]", "[corpora.mine]")
    check_plan(file, Preset("mine", renamed, "mine"))  # nothing was made yet
    (file.parent / "corpora" / "tiny").mkdir(parents=True)
    with pytest.raises(DataError, match="made with another corpus 'tiny'; give a new folder"):
        check_plan(file, Preset("mine", renamed, "mine"))


def test_a_corpus_that_was_not_made_yet_may_change(file: Path) -> None:
    """Such as one of files that could not be read, and were repaired."""
    (file.parent / "runs" / "tiny-2" / "depth-all").mkdir(parents=True)  # of another corpus
    check_plan(file, preset(seed=2))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"preset": {"corpora": {}}, "machines": 3}', "[" * 10_000])
def test_a_damaged_plan_is_named(file: Path, content: str) -> None:
    file.write_text(content)
    with pytest.raises(
        DataError, match=r"plan\.json: (damaged, not a JSON object|not a plan of treesmu reproduce); give a new folder"
    ):
        check_plan(file, preset())
