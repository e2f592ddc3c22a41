"""The progress of a training run: lines of text, a bar on a terminal, and TensorBoard."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treesmu.extras import require
from treesmu.task_names import measure_of

from .durations import format_seconds
from .messages import print_text

Callback = Callable[[str, dict[str, Any]], None]  # called with the name of an event and its facts
LETTERS = {"hidden": "n", "stack": "p", "top": "k"}  # as in the paper
REDRAW = 0.5  # seconds between two updates of the bar


def call_each(*callbacks: Callback | None) -> Callback:
    """Return a callback that calls several ones in turn."""

    def call(kind: str, facts: dict[str, Any]) -> None:
        for callback in callbacks:
            if callback is not None:
                callback(kind, facts)

    return call


class TrainingScreen:
    """One line per epoch, and on a terminal a bar. ``result`` is what ``--json`` prints at the end."""

    def __init__(self, settings: Any, folder: Path, next_command: str, is_quiet: bool) -> None:
        self.settings, self.folder, self.next_command, self.is_quiet = settings, folder, next_command, is_quiet
        self.measure = measure_of(settings.task)
        self.is_terminal = sys.stderr.isatty() and not is_quiet
        self.facts: dict[str, Any] = {}
        self.result: dict[str, Any] = {}
        self.validation = ""
        self.start = self.drawn = time.monotonic()

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        getattr(self, f"_on_{kind}")(facts)

    @property
    def unit(self) -> str:
        """The unit of rows in speeds."""
        return "eq" if self.settings.task == "verify" else "trees"

    def _on_start(self, facts: dict[str, Any]) -> None:
        self.facts, self.start = facts, time.monotonic()
        settings = self.settings
        sizes = "".join(f" {letter}={facts['cell'][name]}" for name, letter in LETTERS.items() if name in facts["cell"])
        depths = " (depth {}-{})".format(*settings.depths) if settings.depths else ""
        new, noun = "new " if settings.stream else "", "equations" if settings.task == "verify" else "trees"
        each = " per epoch" if settings.stream else ""
        self._say(
            f"{settings.model} {sizes}  {facts['parameters']:,} parameters   {facts['rows']:,} {new}{noun}{each}{depths}   "
            f"recipe {settings.recipe}   seed {settings.seed}"
        )
        if repeated := facts.get("test_rows_in_training"):
            self._say(f"{repeated:,} of the test trees are in training too")
        if facts["done"]:
            self._say(f"continuing after {facts['done']:.1f} epochs")

    def _on_wait(self, facts: dict[str, Any]) -> None:
        """Say that a stream's equations are waited for; if they are there already, the line is soon overwritten."""
        if self.is_terminal:
            text = f"epoch {facts['epoch'] + 1}: waiting for equations of the stream"
            print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def _on_step(self, facts: dict[str, Any]) -> None:
        if not self.is_terminal or time.monotonic() - self.drawn < REDRAW:
            return
        self.drawn = time.monotonic()
        share = facts["step"] / self.facts["steps"]
        text = self._line(facts["epoch"] + 1, facts, facts["epoch"] + share, f"{'━' * round(17 * share):17} ", self.validation)
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def _on_epoch(self, facts: dict[str, Any]) -> None:
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        star = "*" if facts["best_epoch"] == facts["epoch"] else " "  # the best so far
        self.validation = f"{self.measure.text(facts[self.measure.validation])}{star}"
        self._say(self._line(facts["epoch"], facts, facts["epoch"], "", self.validation))

    def _on_test(self, facts: dict[str, Any]) -> None:
        from treesmu.trace.glyphs import has_blocks  # loads NumPy, which --help does not need

        from .curve import draw_curve

        overall = facts["overall"]
        self.result = {
            f"best_{self.measure.validation}": facts["best"],
            "best_epoch": facts["best_epoch"],
            "epochs": facts["epochs"],
            "test": overall,
        }
        if self.measure.is_share:  # R² has no scale from 0 to 1
            for line in draw_curve(facts["curve"], _base_rate(facts["validation"]), not has_blocks(sys.stdout.encoding)):
                self._say(line)
        tested = overall[self.measure.key]
        test = "" if tested is None else f"   test {self.measure.text(tested)}"
        best = f"best {self.measure.text(facts['best'])} (epoch {facts['best_epoch']})"
        self._say(f"{best}{test} -> {self.folder / 'model.safetensors'}")
        if self.settings.task == "verify" or overall["trees"]:  # trees may have no test
            self._say(f"next: {self.next_command}")

    def _line(self, epoch: int, facts: dict[str, Any], done: float, bar: str, validation: str) -> str:
        epochs = self.facts["epochs"]
        return (
            f"epoch {epoch:{len(str(epochs))}d}/{epochs} {bar}{facts['equations_per_second']:7,.0f} {self.unit}/s "
            f"{facts['nodes_per_second']:9,.0f} nodes/s   loss {facts['loss']:.3f}   validation {validation or '-':>6}   "
            f"{self._time_left(done)} left{_waiting(facts)}"
        )

    def _time_left(self, done: float) -> str:
        """Return the remaining time. done: epochs, of which an earlier call may have done a part."""
        done_here = max(done - self.facts["done"], 1e-9)
        return format_seconds((time.monotonic() - self.start) / done_here * (self.facts["epochs"] - done))

    def _say(self, text: str) -> None:
        if not self.is_quiet:
            print_text(text)


def _base_rate(measured: dict[str, Any]) -> float | None:
    """Return the accuracy of a constant prediction."""
    if "majority" in measured:
        share: float | None = measured["majority"]
        return share
    equations, correct = measured["equations"], measured["correct"]
    return max(correct, equations - correct) / equations if equations else None


def _waiting(facts: dict[str, Any]) -> str:
    """Return how long the epoch waited for a stream, if it did so noticeably."""
    waited = facts.get("waited", 0.0)
    return f"   waited {format_seconds(waited)} for equations" if waited >= 1 else ""


class TensorBoard:
    """The curves of a run for TensorBoard, in RUN/tensorboard."""

    def __init__(self, folder: Path) -> None:
        require("treesmu train --tensorboard", "tensorboard")
        from torch.utils.tensorboard import SummaryWriter

        self.folder, self.make_writer = folder / "tensorboard", SummaryWriter
        self.writer: Any = None

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "start":  # curves from here on are replaced: an interrupted epoch is computed again
            self.writer = self.make_writer(str(self.folder), purge_step=int(facts["done"]) + 1)
        elif kind == "epoch":
            scores = [name for name in facts if name.startswith("validation_")]
            for name in ("loss", *scores, "learning_rate", "equations_per_second", "nodes_per_second"):
                self.writer.add_scalar(name, facts[name], facts["epoch"])
            self.writer.flush()
        elif kind == "test":
            self.writer.close()
