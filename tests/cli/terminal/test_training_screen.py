"""The progress of a training run, from the events of the trainer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from clock import Clock
from treesmu.cli.terminal.training_screen import TrainingScreen, call_each
from treesmu.training.settings import TrainSettings

START = {
    "cell": {"hidden": 50, "stack": 2, "dropout": 0.0},
    "parameters": 31204,
    "rows": 24302,
    "done": 0.0,
    "steps": 10,
    "epochs": 20,
}
SPEED = {"equations_per_second": 8900.4, "nodes_per_second": 250000.0, "loss": 0.2144}
TEST = {"overall": {"accuracy": 0.75}, "best": 0.913, "best_epoch": 2, "epochs": 20, "curve": [0.913]}
TEST |= {"validation": {"equations": 10, "correct": 4}}


def screen(is_quiet: bool = False, **settings: Any) -> TrainingScreen:
    return TrainingScreen(TrainSettings.of(depths=(1, 7), **settings), Path("run"), "treesmu evaluate run", is_quiet)


def epoch(number: int, best: int, validation: float) -> dict[str, Any]:
    return {"epoch": number, "best_epoch": best, "validation_accuracy": validation, **SPEED}


def test_a_run_is_one_line_per_epoch_and_what_to_do_next(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = screen(seed=3)
    show("start", START)
    clock.now = 60
    show("step", {"epoch": 0, "step": 5, **SPEED})  # a bar is for terminals only
    show("epoch", epoch(2, 2, 0.881))
    show("epoch", epoch(3, 2, 0.5))
    show("test", TEST)
    assert capsys.readouterr().out.splitlines() == [
        "tree-smu  n=50 p=2  31,204 parameters   24,302 equations (depth 1-7)   recipe paper   seed 3",
        "epoch  2/20   8,900 eq/s   250,000 nodes/s   loss 0.214   validation 88.1%*   9:00 left",  # 60 s for 2, 18 to go
        "epoch  3/20   8,900 eq/s   250,000 nodes/s   loss 0.214   validation 50.0%    5:40 left",
        "best 91.3% (epoch 2)   test 75.0% -> run/model.safetensors",
        "next: treesmu evaluate run",
    ]
    expected = {"best_validation_accuracy": 0.913, "best_epoch": 2, "epochs": 20, "test": {"accuracy": 0.75}}
    assert show.result == expected


def test_a_stream_says_so_and_how_long_was_waited(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = screen(stream=True)
    show("wait", {"epoch": 0})  # a line that is overwritten is for terminals only
    show("start", START)
    clock.now = 60
    show("epoch", epoch(1, 1, 0.5) | {"waited": 0.4})
    show("epoch", epoch(2, 1, 0.5) | {"waited": 12.3})
    start, first, second = capsys.readouterr().out.splitlines()
    assert "   24,302 new equations per epoch (depth 1-7)   " in start
    assert first.endswith(" left")
    assert second.endswith(" left   waited 0:12 for equations")


def test_on_a_terminal_a_stream_says_that_it_is_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = screen(stream=True)
    show("wait", {"epoch": 3})
    assert "epoch 4: waiting for equations of the stream" in capsys.readouterr().err


def test_a_resumed_run_counts_the_time_of_its_own_epochs(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = screen()
    show("start", START | {"done": 10.0})
    clock.now = 30
    show("epoch", epoch(11, 11, 0.5))
    _, continuing, line = capsys.readouterr().out.splitlines()
    assert continuing == "continuing after 10.0 epochs"
    assert line.endswith("   4:30 left")  # 9 epochs of 30 s


def test_a_terminal_has_a_bar_that_is_drawn_now_and_then(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = screen()
    show("start", START)
    clock.now = 0.1
    show("step", {"epoch": 0, "step": 1, **SPEED})
    assert capsys.readouterr().err == ""  # too soon
    clock.now = 1.0
    show("step", {"epoch": 0, "step": 10, **SPEED})
    bar = capsys.readouterr().err
    assert bar.startswith("\repoch  1/20 ━━━━━━━━━━━━━━━━━ ")
    assert "validation      -   0:19 left" in bar
    show("epoch", epoch(1, 1, 0.5))
    assert capsys.readouterr().err == "\r\033[K"  # the bar is removed


def test_a_quiet_screen_only_has_a_result(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    del clock
    show = screen(is_quiet=True)
    for kind, facts in (("start", START), ("epoch", epoch(1, 1, 0.5)), ("test", TEST | {"overall": {"accuracy": None}})):
        show(kind, facts)
    assert capsys.readouterr() == ("", "")
    assert show.result["test"] == {"accuracy": None}


def test_several_callbacks_are_called_in_turn() -> None:
    called: list[tuple[str, str]] = []
    call_each(lambda kind, _: called.append(("a", kind)), None, lambda kind, _: called.append(("b", kind)))("start", {})
    assert called == [("a", "start"), ("b", "start")]


def test_test_trees_that_are_in_training_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    screen()("start", START | {"test_rows_in_training": 1234})
    assert capsys.readouterr().out.splitlines()[1] == "1,234 of the test trees are in training too"
