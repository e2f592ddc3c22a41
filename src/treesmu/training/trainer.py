"""The one training loop: from a corpus to a run folder. Chosen on validation, resumable at any moment, the same on torchrun."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu import __version__
from treesmu.data import DataError, Dataset
from treesmu.data.augment.node_values import NodeValues
from treesmu.models.majority import fit
from treesmu.models.store import load, save
from treesmu.models.verifier import count_parameters
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.verify import evaluate_verification, probabilities, verification_loss

from . import checkpoint
from .batches import Batches, TrainingBatch
from .checkpoint import TrainingProgress
from .distributed import ProcessGroup
from .fresh_model import fresh_model
from .random_streams import DROPOUT, rng_for
from .run_folder import RunFolder, run_identity
from .settings import TrainSettings
from .training_data import read_rows, with_substitutes

Callback = Callable[[str, dict[str, Any]], None]  # called with "start", "step", "epoch" or "test", and what there is to tell


class Trainer:
    """A run. Whatever is wrong with what is given is a DataError of the constructor, which writes nothing.

    resume: go on with the run in this folder, if there is one. checkpoint_seconds: between two checkpoints within an epoch.
    """

    def __init__(
        self,
        corpus: Path,
        out: Path,
        settings: TrainSettings,
        *,
        resume: bool = False,
        callback: Callback = lambda *_: None,
        checkpoint_seconds: float = 60.0,
        process_group: ProcessGroup | None = None,
    ) -> None:
        self.settings, self.callback, self.checkpoint_seconds = settings, callback, checkpoint_seconds
        self.process_group = process_group or ProcessGroup()
        self.folder = RunFolder(out)
        self.identity = run_identity(settings, corpus)
        found = self.process_group.run_on_first(lambda: (self.identity, self.folder.open(self.identity, resume)))
        if found[0] != self.identity:
            raise DataError(f"{corpus}: process {self.process_group.rank} has another corpus or other settings than the first")
        self.model = fresh_model(settings)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
        )
        self.progress = TrainingProgress()
        if found[1] is not None:
            self.progress = checkpoint.restore(found[1], self.folder.state, self.model, self.optimizer)
        self._read(corpus)
        self.epochs = 1 if self.is_counted else settings.epochs
        self.saved = time.monotonic()

    def _read(self, corpus: Path) -> None:
        """The equations, each set planned once."""
        self.train, self.validation = (read_rows(corpus, split, self.settings) for split in ("train", "validation"))
        self.test = Dataset.read(corpus, "test")
        try:
            plan: Any = self.model.encoder.plan(with_substitutes(self.train, self.settings))
            self.validation_plan = self.model.encoder.plan(self.validation.prefix)
        except DataError as error:
            raise DataError(f"{corpus}: {error}") from error
        values = NodeValues.of(plan) if self.settings.subexpressions else None
        self.batches = Batches(plan, self.train, self.settings, self.process_group, values)

    @property
    def is_counted(self) -> bool:
        """The majority class has nothing to learn by gradients."""
        return self.settings.model == "majority"

    # -- the loop --------------------------------------------------------------------------------------------------------

    def run(self, until: int | None = None) -> None:
        """Train to the end, then test the best model on the corpus's test equations.

        until: stop after so many epochs, and do not test; the run can be resumed.
        """
        facts = {
            "parameters": count_parameters(self.model),
            "cell": (self.model.build_arguments or {})["settings"],
            "rows": len(self.train),
            "validation_rows": len(self.validation),
        }
        versions = {"treesmu": __version__, "torch": str(torch.__version__), "processes": self.process_group.world}
        self.process_group.run_on_first(lambda: self.folder.start(self.identity | versions | facts))
        done = self.progress.epoch + self.progress.step / self.batches.steps
        self.callback("start", facts | {"epochs": self.epochs, "steps": self.batches.steps, "done": done})
        with _fast():
            while not self._is_over() and (until is None or self.progress.epoch < until):
                self._epoch()
        if until is None:
            self.callback("test", self.process_group.run_on_first(self._test))

    def _is_over(self) -> bool:
        progress, patience = self.progress, self.settings.patience
        waited = progress.epoch - 1 - progress.best_epoch
        return progress.epoch >= self.epochs or bool(patience and waited >= patience)

    def _epoch(self) -> None:
        progress, began = self.progress, time.monotonic() - self.progress.seconds
        if self.is_counted:
            self._count()
        else:
            self.model.train()
            for prepared in self.batches.epoch(progress.epoch, progress.step):
                loss = self.step(prepared)
                progress.step += 1
                progress.loss += loss * prepared.rows
                progress.rows += prepared.rows
                progress.nodes += prepared.nodes
                progress.seconds = time.monotonic() - began
                self.callback("step", {"epoch": progress.epoch, "step": progress.step, **self._pace()})
                if self.process_group.rank == 0 and time.monotonic() - self.saved >= self.checkpoint_seconds:
                    self._checkpoint()
        progress.seconds = time.monotonic() - began
        self._end_epoch()

    def step(self, prepared: TrainingBatch) -> float:
        """One step of the optimizer; the loss of the whole batch."""
        settings, progress = self.settings, self.progress
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        loss = self.gradients(prepared)
        if settings.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.optimizer.step()
        if not isfinite(loss):
            raise DataError(f"{self.folder.path}: the loss is not finite in epoch {progress.epoch + 1}; lower learning_rate")
        return loss

    def gradients(self, prepared: TrainingBatch) -> float:
        """Put the gradients of the whole batch, the same in all processes, at the parameters; the loss of the whole batch."""
        place = (self.settings.seed, self.progress.epoch, self.progress.step, self.process_group.rank)
        torch.manual_seed(int(rng_for(DROPOUT, *place).integers(2**63)))
        self.optimizer.zero_grad()
        loss = self.loss(prepared)
        loss.backward()
        return self.process_group.average(loss, self.model.parameters())

    def loss(self, prepared: TrainingBatch) -> Tensor:
        """This process's part of the mean over the rows and of the weighted mean over the pairs."""
        model = self.model
        if prepared.pairs is None:
            return prepared.weight * verification_loss(model(prepared.batch), prepared.label)
        states = model.encoder.nodes(prepared.batch)  # (nodes, n)
        logits = model.compare(model.encoder.at_roots(states, prepared.batch))
        loss = prepared.weight * verification_loss(logits, prepared.label)
        weight = self.settings.subexpressions * prepared.pair_weight
        return loss + weight * pair_loss(states, prepared.pairs, model.head)

    def rate(self) -> float:
        """The learning rate of the next step."""
        settings, done = self.settings, self.progress.epoch * self.batches.steps + self.progress.step
        left = 1 - done / (settings.epochs * self.batches.steps) if settings.schedule == "linear" else 1.0
        return settings.learning_rate * left

    # -- ends ------------------------------------------------------------------------------------------------------------

    def _end_epoch(self) -> None:
        progress = self.progress
        accuracy = self.process_group.run_on_first(self._validate)
        rate = self.rate()
        line = {"epoch": progress.epoch + 1, "validation_accuracy": accuracy, "learning_rate": rate, **self._pace()}
        progress.metrics.append(line)
        is_best = accuracy > progress.best
        if is_best:
            progress.best, progress.best_epoch = accuracy, progress.epoch
        progress.next_epoch()
        if self.process_group.rank == 0:  # the checkpoint last: what is killed before it does all of this again
            note = {"epoch": progress.epoch, "validation_accuracy": accuracy, **self.identity}
            if is_best:
                save(self.model, self.folder.model, note)
            save(self.model, self.folder.last, note)
            self.folder.write_metrics(progress.metrics)
            self._checkpoint()
        self.callback("epoch", line | {"best": progress.best, "best_epoch": progress.best_epoch + 1})

    def _pace(self) -> dict[str, Any]:
        """What is known of this epoch so far; nodes are those of the trees as they are written."""
        progress, seconds = self.progress, max(self.progress.seconds, 1e-9)
        return {
            "loss": progress.loss / progress.rows,
            "seconds": round(seconds, 3),
            "equations_per_second": round(progress.rows / seconds, 1),
            "nodes_per_second": round(progress.nodes / seconds, 1),
        }

    def _validate(self) -> float:
        p = probabilities(self.model, self.model.batches(self.validation_plan))
        return float(((p >= 0.5) == (self.validation.label == 1)).mean())

    def _checkpoint(self) -> None:
        checkpoint.write(self.folder.state, self.progress, self.model, self.optimizer)
        self.saved = time.monotonic()

    def _count(self) -> None:
        """The majority class: all there is to learn is the share of correct equations, whose loss is their entropy."""
        fit(self.model, self.train.label.astype(float))  # a copy: torch warns of arrays that cannot be written
        share = float(np.clip(self.train.label.mean(), 1e-7, 1 - 1e-7))
        entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
        self.progress.rows, self.progress.nodes = len(self.train), int(self.train.size.sum())
        self.progress.loss = float(entropy) * len(self.train)

    def _test(self) -> dict[str, Any]:
        """The measures of the best model on equations that had no part in choosing it; beside them, on those that had."""
        if not (self.progress.finished and self.folder.test.exists()):
            best = load(self.folder.model)
            found, probability = evaluate_verification(best, self.test)
            for name, rows in (("train", self.train), ("validation", self.validation)):
                found[name] = evaluate_verification(best, rows)[0]["overall"]
            self.folder.write_test(found, probability, self.test)
            self.progress.finished = True
            self._checkpoint()
        content: dict[str, Any] = json.loads(self.folder.test.read_text(encoding="utf-8"))
        chosen = {"best": self.progress.best, "best_epoch": self.progress.best_epoch + 1, "epochs": self.progress.epoch}
        return content | chosen


@contextmanager
def _fast() -> Iterator[None]:
    """Rows deep in a stack fade away, and tiny numbers are slow: they are 0. What is in memory now is not searched again."""
    torch.set_flush_denormal(True)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        torch.set_flush_denormal(False)
