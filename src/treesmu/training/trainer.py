"""The training loop, from data to a run folder. The model is chosen on validation; a run can be resumed at any moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from math import isfinite
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from treesmu import __version__
from treesmu.data import DataError
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.data.tree_files.table import TreeTable
from treesmu.models.compiled.threads import instead_of_pytorch
from treesmu.models.device import choose_device
from treesmu.models.forest.encoder import TreeEncoder
from treesmu.models.forest.implementation import Implementation
from treesmu.models.store import load_model, save
from treesmu.models.verifier import count_parameters

from . import checkpoint
from .batches import Batches
from .checkpoint import TrainingProgress
from .distributed import ProcessGroup
from .optimization import Optimization
from .run_folder import RunFolder
from .run_tasks import open_task
from .settings import TrainSettings
from .steps.counting import count_labels
from .steps.fast_arithmetic import fast_arithmetic
from .steps.learning_rate import learning_rate
from .steps.weight_average import WeightAverage
from .streamed_data import Stream

WORTH_COMPILING = 1_000_000  # nodes of training in all: less takes no longer than to load, or even make, compiled code
Callback = Callable[[str, dict[str, Any]], None]  # called with the name of an event ("start", "step", ...) and its facts


class Trainer:
    """A training run. Invalid arguments are a DataError of the constructor, which writes nothing.

    corpus: a corpus folder; for tasks of trees a file or folder of trees, or a table of them in memory.
    resume: continue the run in this folder, if there is one. checkpoint_seconds: time between two checkpoints within an epoch.
    device: where the run is computed, ``auto | cpu | cuda | cuda:N | mps``; no part of its identity, so a run can be resumed
    on another device. stream: where the training equations come from if the settings ask for a stream.
    lock_seconds: how long to wait for another process that uses the folder, such as one whose parent was killed a moment ago.
    """

    def __init__(
        self,
        corpus: Path | TreeTable,
        out: Path,
        settings: TrainSettings,
        *,
        resume: bool = False,
        callback: Callback = lambda *_: None,
        checkpoint_seconds: float = 60.0,
        process_group: ProcessGroup | None = None,
        device: str | torch.device = "auto",
        stream: Stream | None = None,
        lock_seconds: float = 0.0,
    ) -> None:
        self.settings, self.callback = settings, callback
        self.checkpoint_seconds, self.lock_seconds = checkpoint_seconds, lock_seconds
        self.process_group = process_group or ProcessGroup()
        self.device = self.process_group.assign_device(choose_device(device))
        self.folder = RunFolder(out)
        run_task = open_task(corpus, settings, stream)
        self.task, self.identity = run_task.task, run_task.identity
        identity, stored = self.process_group.run_on_first(lambda: (self.identity, self.folder.open(self.identity, resume)))
        if identity != self.identity:
            what = f"process {self.process_group.rank} has another corpus or other settings than process 0"
            raise DataError(f"{self.folder.path}: {what}")
        # Initial weights are drawn on the CPU: the same on every device.
        self.model: Any = run_task.fresh_model().to(self.device)  # a Model, or a TreeModel
        self.trained_before = self.model.trained  # symbols for which the weights were trained before this run
        self.optimization = Optimization(self.model, self.task, settings, self.process_group)
        self.average = WeightAverage(self.model, 0.0 if self.is_counted else settings.average)
        self.progress = TrainingProgress()
        if stored is not None:
            self.progress = checkpoint.restore(stored, self.folder.checkpoint, *self._state())
        self.data: Any = run_task.read(self.model, self.progress)
        self.model.trained = None if self.is_counted else self._trained_symbols()
        self.batches = Batches(self.data, settings, self.process_group)
        self.epochs = 1 if self.is_counted else settings.epochs
        if isinstance(self.model.encoder, TreeEncoder):
            # By what is the same when the run is resumed, so that it gives the same weights.
            self.model.encoder.compiled = self.data.nodes * self.epochs >= WORTH_COMPILING
        self.saved_at = time.monotonic()

    @property
    def is_counted(self) -> bool:
        """Whether the model learns by counting instead of by gradients: the majority class does."""
        return self.settings.model == "majority"

    @property
    def score_name(self) -> str:
        """What metrics.jsonl calls the score that chooses the best epoch."""
        return self.task.measure.validation

    # -- the loop --------------------------------------------------------------------------------------------------------

    def run(self, until: int | None = None) -> None:
        """Train to the end, then test the best model on the test rows.

        until: stop after this many epochs without testing; the run can be resumed.
        """
        model = {"parameters": count_parameters(self.model), "cell": (self.model.build_arguments or {})["settings"]}
        rows = {"rows": self.data.rows, "validation_rows": len(self.data.validation), **self.data.facts()}
        facts: dict[str, Any] = model | rows
        where = {"treesmu": __version__, "torch": str(torch.__version__), "processes": self.process_group.world}
        where |= {"device": str(self.device), "pass": self._pass_name()}
        if not self._is_over(until):
            self._take_equations()  # a stream that cannot be made is refused before anything is written
        with ExitStack() as stack:
            self.process_group.run_on_first(lambda: stack.enter_context(self.folder.locked(self.lock_seconds)))
            self.progress.run = self.process_group.run_on_first(lambda: self.folder.start(self.identity | where | facts))
            done = self.progress.epoch + self.progress.step / self.batches.steps
            self.callback("start", facts | {"epochs": self.epochs, "steps": self.batches.steps, "done": done})
            with fast_arithmetic(), self._threads():
                while not self._is_over(until):
                    self._run_epoch()
            if until is None:
                self.callback("test", self.process_group.run_on_first(self._test))

    def _threads(self) -> AbstractContextManager[None]:
        """Give the threads of PyTorch to compiled passes, if there are any."""
        return instead_of_pytorch() if self._pass_name() == Implementation.COMPILED.value else nullcontext()

    def _pass_name(self) -> str | None:
        """Return how forests are computed (models/forest/implementation.py); None for models that are not of trees."""
        encoder = self.model.encoder
        return encoder.implementation(0).value if isinstance(encoder, TreeEncoder) else None

    def _is_over(self, until: int | None) -> bool:
        progress, patience = self.progress, self.settings.patience
        last = self.epochs if until is None else min(until, self.epochs)
        return progress.epoch >= last or bool(patience and progress.epoch - 1 - progress.best_epoch >= patience)

    def _run_epoch(self) -> None:
        progress, began = self.progress, time.monotonic() - self.progress.seconds
        self._take_equations()
        if self.is_counted:
            count_labels(self.model, self.batches.data.train, progress)
        else:
            self.model.train()
            for batch in self.batches.epoch(progress.epoch, progress.step):
                loss = self.optimization.step(batch, self.learning_rate())
                if not isfinite(loss):
                    remedy = "lower learning_rate"
                    raise DataError(f"{self.folder.path}: the loss is not finite in epoch {progress.epoch + 1}; {remedy}")
                self.average.update(self._steps_done())
                progress.add(loss, batch.rows, batch.nodes)
                progress.seconds = time.monotonic() - began
                self.callback("step", {"epoch": progress.epoch, "step": progress.step, **self._pace()})
                if self.process_group.rank == 0 and time.monotonic() - self.saved_at >= self.checkpoint_seconds:
                    self._write_checkpoint()
        progress.seconds = time.monotonic() - began
        self._end_epoch()

    def _take_equations(self) -> None:
        """Take the equations of this epoch from the stream, if there is one; they may have to be waited for."""
        if self.settings.stream:
            self.callback("wait", {"epoch": self.progress.epoch})
            self.data.of_epoch(self.progress.epoch)
            self.model.trained = self._trained_symbols()

    def _trained_symbols(self) -> TrainedSymbols | None:
        """Return the symbols for which there are trained weights; None, unknown, if the run starts from a file without them."""
        found: TrainedSymbols | None = self.data.trained_symbols(self.model.vocab, self.settings)
        if found is None or self.settings.start_from is None:
            return found
        return None if self.trained_before is None else found.joined(self.trained_before, self.model.vocab)

    def learning_rate(self) -> float:
        """Return the learning rate of the next step."""
        return learning_rate(self.settings, self._steps_done(), self.settings.epochs * self.batches.steps)

    def _steps_done(self) -> int:
        return self.progress.epoch * self.batches.steps + self.progress.step

    # -- the end of an epoch and of the run ------------------------------------------------------------------------------

    def _end_epoch(self) -> None:
        progress = self.progress
        with self.average.in_use():
            score = self.process_group.run_on_first(self._validate)
        rate, name = self.learning_rate(), self.score_name
        line = {"epoch": progress.epoch + 1, name: score, "learning_rate": rate, **self._pace()}
        progress.metrics.append(line)
        is_best = score > progress.best or progress.best_epoch < 0
        if is_best:
            progress.best, progress.best_epoch = score, progress.epoch
        progress.next_epoch()
        if self.process_group.rank == 0:
            note = {"epoch": progress.epoch, name: score, **self.identity}
            with self.average.in_use():
                if is_best:
                    save(self.model, self.folder.model, note)
                save(self.model, self.folder.last, note)
            self.folder.write_metrics(progress.metrics)
            self._write_checkpoint()  # last: a run that is killed earlier writes all of this again
        self.callback("epoch", line | {"best": progress.best, "best_epoch": progress.best_epoch + 1})

    def _pace(self) -> dict[str, Any]:
        """Return the loss and the speed of this epoch so far; nodes are those of the trees as they are written."""
        progress, seconds = self.progress, max(self.progress.seconds, 1e-9)
        return {
            "loss": progress.loss / progress.rows,
            "seconds": round(seconds, 3),
            "equations_per_second": round(progress.rows / seconds, 1),
            "nodes_per_second": round(progress.nodes / seconds, 1),
            **self.data.waiting(),
        }

    def _validate(self) -> float:
        return self.task.score(self.model, self.data.validation, self.data.validation_plan)

    def _write_checkpoint(self) -> None:
        checkpoint.write(self.folder.checkpoint, self.progress, *self._state())
        self.saved_at = time.monotonic()

    def _state(self) -> tuple[Any, torch.optim.Adam, dict[str, Tensor]]:
        """Return what a checkpoint holds besides the progress: model, optimizer, the value map and the averaged weights."""
        value_map = self.optimization.value_map
        values = {} if value_map is None else {f"values.{name}": p.detach() for name, p in value_map.named_parameters()}
        average = {f"average.{name}": mean for name, mean in self.average.means.items()}
        return self.model, self.optimization.adam, values | average

    def _test(self) -> dict[str, Any]:
        """Measure the best model on the test rows; beside them, on those of training and validation."""
        if not (self.progress.finished and self.folder.test.exists()):
            best = load_model(self.folder.model).to(self.device)
            measured, columns = self.task.evaluate(best, self.data.test)
            train = self.data.of_epoch(self.progress.epoch - 1).train  # of a stream, the last equations
            for name, rows in (("train", train), ("validation", self.data.validation)):
                measured[name] = self.task.evaluate(best, rows)[0]["overall"]
            name = Path(self.data.test.source).name  # without its folder: the same run elsewhere gives the same bytes
            self.folder.write_test(measured, columns, name)
            self.progress.finished = True
            self._write_checkpoint()
        content = self.folder.stored_test(self.task.measure.key)
        chosen = {"best": self.progress.best, "best_epoch": self.progress.best_epoch + 1, "epochs": self.progress.epoch}
        return content | chosen | {"curve": [line[self.score_name] for line in self.progress.metrics]}
