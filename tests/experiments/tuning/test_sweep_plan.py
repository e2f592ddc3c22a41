"""What a sweep refuses before it writes anything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from corpora import write_small_corpus
from messages import message
from sweeps import run_sweep, small_settings, summary_of
from treesmu.data import DataError
from treesmu.engine.in_process import InProcess
from treesmu.experiments.tuning.space import Parameter
from treesmu.experiments.tuning.sweep import Sweep
from treesmu.experiments.tuning.sweep_plan import FIXED
from treesmu.plugins import load_plugin
from user_cell import loaded_plugin, write_plugin

pytest.importorskip("optuna")
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize(
    ("space", "said"),
    [
        (["colour=1,2"], "unknown setting 'colour'; known: model, "),
        (["cell.colour=1,2"], "unknown setting cell.colour of tree-rnn; known: hidden, "),
        (["cell.stack=1,2"], "unknown setting cell.stack of tree-rnn; known: hidden, "),
        (["cell.hidden=4,0"], " at least 1, not 0"),
        (["cell.hidden=4,many"], "setting cell.hidden of tree-rnn: 'many' is not of the type of 50"),
        (["cell.hidden=4,5.5"], "setting cell.hidden of tree-rnn: 5.5 is not of the type of 50"),
        (["head=dot,hydra"], "setting head: Input should be 'dot' or 'distance'"),
        (["batch=0,1"], "setting batch: "),
        (["learning_rate=0.1,-0.1"], "setting learning_rate: "),
        (
            ["subexpressions=1", "cell.hidden=4", "subexpressions=2"],
            "a setting is given more than once: subexpressions, cell",
        ),
        (["batch=16..32"], "batch: a grid needs values, A,B,C; a range is for --sampler tpe"),
        *(([f"{name}=1,2"], f"{name} is the same for all trials and cannot be searched") for name in FIXED),
    ],
)
def test_an_invalid_space_is_an_error_of_one_line_and_nothing_is_written(
    space: list[str], said: str, corpus: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as error:
        run_sweep(corpus, tmp_path / "out", *space)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["batch=1.0..32.0", "batch=1e1..1e3", "cell.hidden=4..8.5", "learning_rate=-1..1"])
def test_a_range_is_checked_at_its_ends_and_between(text: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="setting "):
        run_sweep(corpus, tmp_path / "out", text, sampler="tpe")
    assert list(tmp_path.iterdir()) == []


def test_values_are_checked_together_and_not_with_the_defaults_that_they_replace(corpus: Path, tmp_path: Path) -> None:
    """The default has a stack of 2, of which not 3 can be read."""
    settings = small_settings(model="tree-smu")
    assert Sweep(corpus, tmp_path / "out", settings, [Parameter.read("cell.top=2,3"), Parameter.read("cell.stack=3,4")])
    with pytest.raises(DataError, match="tree-smu: top must be "):
        Sweep(corpus, tmp_path / "out", settings, [Parameter.read("cell.top=2,3"), Parameter.read("cell.stack=2,4")])


def test_a_corpus_on_which_every_trial_would_fail_is_refused_at_once(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no train equations of depth 20-30"):
        run_sweep(corpus, tmp_path / "out", settings=small_settings(depths=(20, 30)))
    shutil.copytree(corpus, tmp_path / "part")
    (tmp_path / "part" / "test.parquet").unlink()
    with pytest.raises(DataError, match="test"):
        run_sweep(tmp_path / "part", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_unknown_sampler_is_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown sampler 'dice'; known: grid, tpe"):
        run_sweep(corpus, tmp_path / "out", sampler="dice")


def test_a_folder_of_another_sweep_is_refused_and_left_as_it_is(corpus: Path, whole: Path, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in whole.rglob("*") if file.is_file()}
    other = write_small_corpus(tmp_path / "other", train=90)
    for said, given in {
        "already contains a sweep; continue it with --resume, or give a new folder": {},
        "a sweep with other settings; continue it with the same": {"resume": True, "settings": small_settings(batch=21)},
        "a sweep with another sampler; continue it with the same": {"resume": True, "sampler": "tpe"},
    }.items():
        with pytest.raises(DataError, match=said):
            run_sweep(corpus, whole, **given)
    with pytest.raises(DataError, match="a sweep with another space; continue it with the same"):
        run_sweep(corpus, whole, "cell.hidden=3,5", resume=True)
    with pytest.raises(DataError, match="a sweep with another corpus; continue it with the same"):
        run_sweep(other, whole, resume=True)
    assert {file: file.read_bytes() for file in whole.rglob("*") if file.is_file()} == before
    for resume in (False, True):
        with pytest.raises(DataError, match="exists and contains something else; give a new folder"):
            run_sweep(corpus, tmp_path, resume=resume)
        with pytest.raises(DataError, match="exists and contains something else; give a new folder"):
            run_sweep(corpus, other / "manifest.json", resume=resume)
    assert [file.name for file in tmp_path.iterdir()] == ["other"]


def test_a_damaged_summary_is_named(corpus: Path, tmp_path: Path) -> None:
    for text in ("{", "[]", "[" * 100_000, "{}", '{"request": []}'):
        (tmp_path / "sweep.json").write_text(text)
        with pytest.raises(
            DataError, match=r"sweep\.json: (damaged, not a JSON object|not the summary of a sweep); give a new folder"
        ):
            run_sweep(corpus, tmp_path, resume=True)
    assert [file.name for file in tmp_path.iterdir()] == ["sweep.json"]


def test_a_sweep_of_other_code_is_not_resumed(corpus: Path, tmp_path: Path) -> None:
    with loaded_plugin(tmp_path) as name:
        settings, space = small_settings(model=name, epochs=1), [Parameter.read("cell.hidden=3,4")]
        assert Sweep(corpus, tmp_path / "out", settings, space).run(InProcess()) == []
        Sweep(corpus, tmp_path / "out", settings, space, resume=True)
        file = write_plugin(tmp_path, other_code=True)
        load_plugin(file)
        said = message(Sweep, corpus, tmp_path / "out", settings, space, resume=True)
        assert said == f"{tmp_path}/out: contains a sweep with other code; continue it with the same, or give a new folder"
        content = summary_of(tmp_path / "out")
        del content["request"]["code"]  # as an older version wrote it
        (tmp_path / "out" / "sweep.json").write_text(json.dumps(content))
        Sweep(corpus, tmp_path / "out", settings, space, resume=True)
