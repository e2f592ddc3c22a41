"""A run whose training equations come from a stream: each epoch has its own, and a resumed run has the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treesmu
from small_runs import assert_same_run, metrics, run, small
from streams import CountingStream, stream_of, write_generated
from treesmu.data import DataError, Dataset
from treesmu.data.augment.planned_rows import Planner
from treesmu.engine import open_executor
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")
ROWS = 50
RUNS = {
    "paper": small(stream=True, rows=ROWS, epochs=3, substitutes=0),
    "treesmu": small("treesmu", stream=True, rows=ROWS, epochs=3, substitutes=0),
    "transformer": small(model="transformer", cell={"hidden": 5}, rename=True, stream=True, rows=ROWS, epochs=3),
}


class StoppedError(Exception):
    pass


def stop_after(steps: int) -> Any:
    done = 0

    def callback(kind: str, _: dict[str, Any]) -> None:
        nonlocal done
        done += kind == "step"
        if done > steps:
            raise StoppedError

    return callback


def test_every_epoch_trains_on_a_part_of_its_own(corpus: Path, tmp_path: Path) -> None:
    stream, seen = CountingStream(ROWS), []
    trainer = Trainer(corpus, tmp_path / "run", RUNS["treesmu"], stream=stream)

    def callback(kind: str, _: dict[str, Any]) -> None:
        if kind == "step":
            data = trainer.batches.data
            assert len(data.plan) == len(data.train) == ROWS  # no copies
            assert data.values is not None
            seen.append(data.train.prefix[0].as_py())

    trainer.callback = callback
    trainer.run()
    assert stream.made == [0, 1, 2]
    assert len(seen) == 3 * 3
    assert len(set(seen)) == 3
    assert trainer.batches.steps == 3


@pytest.mark.parametrize("name", RUNS)
def test_stopped_at_any_step_and_resumed_ends_with_the_same_bytes(name: str, corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "whole", RUNS[name], stream=CountingStream(ROWS))
    out, before = tmp_path / "stopped", 0
    for stop, first in ((1, 0), (3, 0), (4, 1)):  # in the first epoch, at its end, in the second
        stream, callback = CountingStream(ROWS), stop_after(stop - before)
        with pytest.raises(StoppedError):
            run(corpus, out, RUNS[name], callback=callback, checkpoint_seconds=0, stream=stream, resume=True)
        assert stream.made[0] == first
        before = stop
    resumed = CountingStream(ROWS)
    assert run(corpus, out, RUNS[name], resume=True, stream=resumed).progress.finished
    assert resumed.made == [1, 2]  # nothing is made again that is not needed
    assert_same_streamed(tmp_path / "whole", out)


def assert_same_streamed(one: Path, other: Path) -> None:
    """Assert that two runs are the same apart from the times that they waited."""
    for folder in (one, other):
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        (folder / "metrics.jsonl").write_text("".join(json.dumps(line | {"waited": 0}) + "\n" for line in lines))
    assert_same_run(one, other)


def test_a_finished_run_that_is_resumed_asks_for_nothing(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", RUNS["paper"], stream=CountingStream(ROWS))
    stream = CountingStream(ROWS)
    run(corpus, tmp_path / "run", RUNS["paper"], resume=True, stream=stream)
    assert stream.made == []


def test_a_run_killed_before_its_test_makes_the_last_part_again(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "whole", RUNS["paper"], stream=CountingStream(ROWS))
    Trainer(corpus, tmp_path / "run", RUNS["paper"], stream=CountingStream(ROWS)).run(until=3)
    stream = CountingStream(ROWS)
    run(corpus, tmp_path / "run", RUNS["paper"], resume=True, stream=stream)
    assert stream.made == [2]
    assert_same_streamed(tmp_path / "whole", tmp_path / "run")


def test_the_symbols_of_all_parts_so_far_are_trained_also_after_a_resumption(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(StoppedError):
        run(corpus, tmp_path / "run", RUNS["paper"], callback=stop_after(4), checkpoint_seconds=0, stream=CountingStream(ROWS))
    run(corpus, tmp_path / "run", RUNS["paper"], resume=True, stream=CountingStream(ROWS))
    parts = CountingStream(ROWS).parts(range(3), Planner(treesmu.load(tmp_path / "run" / "last.safetensors").vocab))
    tokens = {token for part in parts for text in part.rows.prefix.to_pylist() for token in text.split()}
    trained = treesmu.load(tmp_path / "run" / "last.safetensors").trained
    assert trained is not None
    assert {token for token in tokens if "." not in token} - {"Equality"} == {*trained.functions, *trained.leaves} - {
        "<number>"
    }


def test_settings_json_has_the_stream_and_the_metrics_say_how_long_was_waited(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", RUNS["paper"], stream=CountingStream(ROWS))
    content = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert content["stream"] == {"rows": ROWS}
    assert (content["rows"], content["settings"]["stream"], content["settings"]["substitutes"]) == (ROWS, True, 0)
    assert all(line["waited"] >= 0 for line in metrics(tmp_path / "run"))
    test = json.loads((tmp_path / "run" / "test.json").read_text())
    assert test["train"]["equations"] == ROWS  # the last part
    assert test["validation"]["equations"] == len(Dataset.read(corpus, "validation"))


def test_the_trainer_says_that_it_waits(corpus: Path, tmp_path: Path) -> None:
    events: list[str] = []
    run(corpus, tmp_path / "run", RUNS["paper"], stream=CountingStream(ROWS), callback=lambda kind, _: events.append(kind))
    assert events[:3] == ["wait", "start", "wait"]
    assert events.count("epoch") == 3


def test_a_stream_and_its_settings_must_agree(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="stream: the settings ask for one that is not there; use treesmu train --stream"):
        Trainer(corpus, tmp_path / "run", RUNS["paper"])
    with pytest.raises(DataError, match="stream: the settings have none"):
        Trainer(corpus, tmp_path / "run", small(), stream=CountingStream(ROWS))
    run(corpus, tmp_path / "run", RUNS["paper"], stream=CountingStream(ROWS))
    other = CountingStream(ROWS)
    other.identity = lambda: {"rows": ROWS, "held_out": 7}  # type: ignore[method-assign]
    with pytest.raises(DataError, match="contains a run on another stream"):
        Trainer(corpus, tmp_path / "run", RUNS["paper"], resume=True, stream=other)


def test_a_stream_that_cannot_be_made_leaves_nothing(corpus: Path, tmp_path: Path) -> None:
    class Dry(CountingStream):
        def parts(self, numbers: range, planner: Planner) -> Any:  # noqa: ARG002
            raise DataError("part 0 of the stream has 7 different equations")
            yield

    with pytest.raises(DataError, match="7 different equations"):
        run(corpus, tmp_path / "run", RUNS["paper"], stream=Dry(ROWS))
    assert not (tmp_path / "run").exists()


def test_same_weights_for_any_number_of_jobs(tmp_path: Path) -> None:
    generated = write_generated(tmp_path / "corpus")
    mixture = {"near-miss": 1.0, "textbook": 1.0, "numeric": 0.5}
    settings = TrainSettings.of(
        "treesmu", stream=True, rows=40, epochs=3, batch=20, depths=(1, 4), mixture=mixture, cell={"hidden": 5}
    )
    for jobs in (1, 2):
        with open_executor("local", jobs, beside=jobs > 1) as executor:
            run(generated, tmp_path / str(jobs), settings, stream=stream_of(generated, settings, executor))
    assert_same_streamed(tmp_path / "1", tmp_path / "2")
