"""What is seen of a training run: lines for a person, a bar on a terminal, and TensorBoard."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .options import InputError, clock

Callback = Callable[[str, dict[str, Any]], None]
LETTERS = {"hidden": "n", "stack": "p", "top": "k"}  # as in the paper


def each(*callbacks: Callback | None) -> Callback:
    """All of them, one after the other."""

    def call_each(kind: str, facts: dict[str, Any]) -> None:
        for callback in callbacks:
            if callback is not None:
                callback(kind, facts)

    return call_each


class Screen:
    """A line an epoch, and on a terminal one that moves. ``result`` is what there is to say at the end."""

    def __init__(self, settings: Any, folder: Path, next_command: str, quiet: bool) -> None:
        self.settings, self.folder, self.next_command, self.quiet = settings, folder, next_command, quiet
        self.is_terminal = sys.stderr.isatty() and not quiet
        self.facts: dict[str, Any] = {}
        self.result: dict[str, Any] = {}
        self.validation = ""
        self.began = self.drawn = time.monotonic()

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        getattr(self, f"_{kind}")(facts)

    def _start(self, facts: dict[str, Any]) -> None:
        self.facts, self.began = facts, time.monotonic()
        settings = self.settings
        sizes = "".join(f" {letter}={facts['cell'][name]}" for name, letter in LETTERS.items() if name in facts["cell"])
        depths = " (depth {}-{})".format(*settings.depths) if settings.depths else ""
        self._say(
            f"{settings.model} {sizes}  {facts['parameters']:,} parameters   {facts['rows']:,} equations{depths}   "
            f"recipe {settings.recipe}   seed {settings.seed}"
        )
        if facts["done"]:
            self._say(f"going on after {facts['done']:.1f} epochs")

    def _step(self, facts: dict[str, Any]) -> None:
        if not self.is_terminal or time.monotonic() - self.drawn < 0.5:
            return
        self.drawn = time.monotonic()
        share = facts["step"] / self.facts["steps"]
        text = self._line(facts["epoch"] + 1, facts, facts["epoch"] + share, f"{'━' * round(17 * share):17} ", self.validation)
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def _epoch(self, facts: dict[str, Any]) -> None:
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        star = "*" if facts["best_epoch"] == facts["epoch"] else " "  # the best so far
        self.validation = f"{facts['validation_accuracy']:.1%}{star}"
        self._say(self._line(facts["epoch"], facts, facts["epoch"], "", self.validation))

    def _line(self, epoch: int, facts: dict[str, Any], done: float, bar: str, validation: str) -> str:
        epochs = self.facts["epochs"]
        return (
            f"epoch {epoch:{len(str(epochs))}d}/{epochs} {bar}{facts['equations_per_second']:7,.0f} eq/s "
            f"{facts['nodes_per_second']:9,.0f} nodes/s   loss {facts['loss']:.3f}   validation {validation or '-':>6}   "
            f"{self._left(done)} left"
        )

    def _left(self, done: float) -> str:
        here = max(done - self.facts["done"], 1e-9)
        return clock((time.monotonic() - self.began) / here * (self.facts["epochs"] - done))

    def _test(self, facts: dict[str, Any]) -> None:
        overall = facts["overall"]
        self.result = {
            "best_validation_accuracy": facts["best"],
            "best_epoch": facts["best_epoch"],
            "epochs": facts["epochs"],
            "test": overall,
        }
        test = "" if overall["accuracy"] is None else f"   test {overall['accuracy']:.1%}"
        self._say(f"best {facts['best']:.1%} (epoch {facts['best_epoch']}){test} -> {self.folder / 'model.safetensors'}")
        self._say(f"next: {self.next_command}")

    def _say(self, text: str) -> None:
        if not self.quiet:
            print(text, flush=True)


class Board:
    """The curves of a run for TensorBoard, in RUN/tensorboard."""

    def __init__(self, folder: Path) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise InputError("--tensorboard needs the package tensorboard; install it: pip install tensorboard") from None
        self.folder, self.writer_of = folder / "tensorboard", SummaryWriter
        self.writer: Any = None

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "start":  # an epoch that is done again replaces what there was of it
            self.writer = self.writer_of(str(self.folder), purge_step=int(facts["done"]) + 1)
        elif kind == "epoch":
            for name in ("loss", "validation_accuracy", "learning_rate", "equations_per_second", "nodes_per_second"):
                self.writer.add_scalar(name, facts[name], facts["epoch"])
            self.writer.flush()
        elif kind == "test":
            self.writer.close()
