"""A run that is stopped or killed and resumed, however often, ends as one that was not interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from small_runs import FILES, RUNS, assert_same_run, metrics, run, small
from treesmu.compilation import why_not
from treesmu.errors import DataError
from treesmu.training import trainer
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("name", RUNS)
def test_stopped_at_any_step_and_resumed_ends_with_the_same_bytes(name: str, corpus: Path, tmp_path: Path) -> None:
    assert_same_when_stopped(corpus, tmp_path, name)


@pytest.mark.xdist_group("compiled")
@pytest.mark.skipif(why_not() is not None, reason=f"tree models are not compiled here: {why_not()}")
@pytest.mark.parametrize("name", ["dropout", "treesmu-symbols"])
def test_a_compiled_run_that_is_stopped_and_resumed_ends_with_the_same_bytes(
    name: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "WORTH_COMPILING", 0)
    assert_same_when_stopped(corpus, tmp_path, name)
    assert json.loads((tmp_path / "whole" / "settings.json").read_text())["pass"] == "compiled"


def test_a_short_run_is_not_worth_compiling(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", RUNS["paper"])
    assert json.loads((tmp_path / "run" / "settings.json").read_text())["pass"] == "by hand"


def assert_same_when_stopped(corpus: Path, tmp_path: Path, name: str) -> None:
    run(corpus, tmp_path / "whole", RUNS[name])
    out, steps = tmp_path / "stopped", 0
    for stop in (1, 5, 6):  # in the first epoch, at its end, in the second

        def callback(kind: str, _: dict[str, Any], stop: int = stop) -> None:
            nonlocal steps
            steps += kind == "step"
            if steps > stop:
                steps = stop  # this step is not in the checkpoint
                raise StoppedError

        with pytest.raises(StoppedError):
            run(corpus, out, RUNS[name], callback=callback, checkpoint_seconds=0, resume=True)
        assert steps == stop
    assert run(corpus, out, RUNS[name], resume=True).progress.finished
    assert_same_run(tmp_path / "whole", out)


@pytest.mark.parametrize("name", ["dropout", "treesmu-1", "treesmu"])
def test_training_epoch_by_epoch_ends_with_the_same_bytes(name: str, corpus: Path, tmp_path: Path) -> None:
    """A sweep trains like this, rung by rung; the learning rate is that of the whole run."""
    settings = RUNS[name].model_copy(update={"epochs": 4})
    run(corpus, tmp_path / "whole", settings)
    for until in (1, 3, 3):  # the last has nothing to do
        events: list[str] = []
        trainer = Trainer(
            corpus, tmp_path / "parts", settings, resume=True, callback=lambda kind, _, events=events: events.append(kind)
        )
        trainer.run(until=until)
        assert metrics(tmp_path / "parts") == metrics(tmp_path / "whole")[:until]
        assert "test" not in events
        assert not trainer.progress.finished
        assert not (tmp_path / "parts" / "test.json").exists()
    assert "epoch" not in events
    run(corpus, tmp_path / "parts", settings, resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_until_does_not_override_patience(corpus: Path, tmp_path: Path) -> None:
    settings = small(epochs=9, patience=1, learning_rate=1e-12)  # nothing gets better
    trainer = Trainer(corpus, tmp_path / "run", settings)
    trainer.run(until=8)
    assert len(metrics(tmp_path / "run")) == trainer.progress.epoch == 2
    run(corpus, tmp_path / "run", settings, resume=True)
    assert len(metrics(tmp_path / "run")) == 2


def test_a_finished_run_that_is_resumed_is_left_as_it_is(corpus: Path, tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    run(corpus, tmp_path / "run", small())
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    run(corpus, tmp_path / "run", small(), resume=True, callback=lambda kind, facts: events.append({"kind": kind, **facts}))
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before
    assert [facts["kind"] for facts in events] == ["start", "test"]
    assert events[1]["epochs"] == 2


def test_damaged_measures_of_a_finished_run_are_named_and_made_again_once_they_are_removed(
    corpus: Path, tmp_path: Path
) -> None:
    run(corpus, tmp_path / "run", small(epochs=1))
    test = tmp_path / "run" / "test.json"
    before = test.read_bytes()
    test.write_bytes(before[:20])
    with pytest.raises(DataError, match=f"{test}: damaged, not a JSON object; remove it and continue with --resume: "):
        run(corpus, tmp_path / "run", small(epochs=1), resume=True)
    test.unlink()
    run(corpus, tmp_path / "run", small(epochs=1), resume=True)
    assert test.read_bytes() == before


def test_the_checkpoint_of_another_run_is_refused(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", small(epochs=1))
    run(corpus, tmp_path / "other", small(epochs=1, seed=5))
    checkpoint = tmp_path / "run" / "resume.safetensors"
    checkpoint.write_bytes((tmp_path / "other" / checkpoint.name).read_bytes())
    with pytest.raises(DataError, match=rf"{checkpoint}: of another run than settings\.json; train into another"):
        run(corpus, tmp_path / "run", small(epochs=1), resume=True)


def test_a_run_whose_model_is_lost_says_how_to_train_it_again(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", small(epochs=1))
    model = tmp_path / "run" / "model.safetensors"
    before = model.read_bytes()
    model.unlink()
    with pytest.raises(DataError, match=rf"{model}: missing, the best model of this run; remove resume\.safetensors and"):
        run(corpus, tmp_path / "run", small(epochs=1), resume=True)
    (tmp_path / "run" / "resume.safetensors").unlink()
    run(corpus, tmp_path / "run", small(epochs=1), resume=True)
    assert model.read_bytes() == before


def test_unfinished_files_of_a_killed_run_are_no_obstacle(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "settings.json.0a1b2c3d.part").write_text('{"sett')
    run(corpus, tmp_path / "run", small(epochs=1), resume=True)
    assert {path.name for path in (tmp_path / "run").iterdir()} == FILES
