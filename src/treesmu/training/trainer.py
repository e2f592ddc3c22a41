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
from treesmu.data import DataError, Dataset, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.models.build import build
from treesmu.models.majority import fit
from treesmu.models.model import Model
from treesmu.models.store import load, save
from treesmu.models.verifier import count_parameters
from treesmu.tasks.subexpressions import pair_loss
from treesmu.tasks.verify import evaluate, probabilities, verification_loss

from . import checkpoint
from .batches import DROPOUT, Batches, Prepared, rng, rows_of, with_substitutes
from .checkpoint import Progress
from .distributed import Processes
from .run_folder import RunFolder, identity
from .settings import TrainSettings

MOST_PARAMETERS = 10**9  # with gradients and two moments each, 16 GB
Listener = Callable[[str, dict[str, Any]], None]  # called with "start", "step", "epoch" or "test", and what there is to tell


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
        listen: Listener = lambda *_: None,
        checkpoint_seconds: float = 60.0,
        processes: Processes | None = None,
    ) -> None:
        self.settings, self.listen, self.checkpoint_seconds = settings, listen, checkpoint_seconds
        self.processes = processes or Processes()
        self.folder = RunFolder(out)
        self.identity = identity(settings, corpus)
        found = self.processes.first(lambda: (self.identity, self.folder.open(self.identity, resume)))
        if found[0] != self.identity:
            raise DataError(f"{corpus}: process {self.processes.rank} has another corpus or other settings than the first")
        self.model = fresh_model(settings)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
        )
        self.progress = Progress()
        if found[1] is not None:
            self.progress = checkpoint.restore(found[1], self.folder.state, self.model, self.optimizer)
        self._read(corpus)
        self.epochs = 1 if self.is_counted else settings.epochs
        self.saved = time.monotonic()

    def _read(self, corpus: Path) -> None:
        """The equations, each set planned once."""
        self.train, self.validation = (rows_of(corpus, split, self.settings) for split in ("train", "validation"))
        self.test = Dataset.read(corpus, "test")
        try:
            plan: Any = self.model.encoder.plan(with_substitutes(self.train, self.settings))
            self.validation_plan = self.model.encoder.plan(self.validation.prefix)
        except DataError as error:
            raise DataError(f"{corpus}: {error}") from error
        values = NodeValues.of(plan) if self.settings.subexpressions else None
        self.batches = Batches(plan, self.train, self.settings, self.processes, values)

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
        versions = {"treesmu": __version__, "torch": str(torch.__version__), "processes": self.processes.world}
        self.processes.first(lambda: self.folder.start(self.identity | versions | facts))
        done = self.progress.epoch + self.progress.step / self.batches.steps
        self.listen("start", facts | {"epochs": self.epochs, "steps": self.batches.steps, "done": done})
        with _fast():
            while not self._is_over() and (until is None or self.progress.epoch < until):
                self._epoch()
        if until is None:
            self.listen("test", self.processes.first(self._test))

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
                self.listen("step", {"epoch": progress.epoch, "step": progress.step, **self._pace()})
                if self.processes.rank == 0 and time.monotonic() - self.saved >= self.checkpoint_seconds:
                    self._checkpoint()
        progress.seconds = time.monotonic() - began
        self._end_epoch()

    def step(self, prepared: Prepared) -> float:
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

    def gradients(self, prepared: Prepared) -> float:
        """Put the gradients of the whole batch, the same in all processes, at the parameters; the loss of the whole batch."""
        place = (self.settings.seed, self.progress.epoch, self.progress.step, self.processes.rank)
        torch.manual_seed(int(rng(DROPOUT, *place).integers(2**63)))
        self.optimizer.zero_grad()
        loss = self.loss(prepared)
        loss.backward()
        return self.processes.average(loss, self.model.parameters())

    def loss(self, prepared: Prepared) -> Tensor:
        """This process's part of the mean over the rows and of the weighted mean over the pairs."""
        model = self.model
        if prepared.pairs is None:
            return prepared.weight * verification_loss(model(prepared.batch), prepared.label)
        states = model.encoder.nodes(prepared.batch)  # (nodes, n)
        sides = states[torch.from_numpy(prepared.batch.roots)]  # (rows, 2, n)
        own = prepared.weight * verification_loss(model.head(sides[:, 0], sides[:, 1]), prepared.label)
        weight = self.settings.subexpressions * prepared.pair_weight
        return own + weight * pair_loss(states, prepared.pairs, model.head)

    def rate(self) -> float:
        """The learning rate of the next step."""
        settings, done = self.settings, self.progress.epoch * self.batches.steps + self.progress.step
        left = 1 - done / (settings.epochs * self.batches.steps) if settings.schedule == "linear" else 1.0
        return settings.learning_rate * left

    # -- ends ------------------------------------------------------------------------------------------------------------

    def _end_epoch(self) -> None:
        progress = self.progress
        accuracy = self.processes.first(self._validate)
        rate = self.rate()
        line = {"epoch": progress.epoch + 1, "validation_accuracy": accuracy, "learning_rate": rate, **self._pace()}
        progress.metrics.append(line)
        is_best = accuracy > progress.best
        if is_best:
            progress.best, progress.best_epoch = accuracy, progress.epoch
        progress.next_epoch()
        if self.processes.rank == 0:  # the checkpoint last: what is killed before it does all of this again
            note = {"epoch": progress.epoch, "validation_accuracy": accuracy, **self.identity}
            if is_best:
                save(self.model, self.folder.model, note)
            save(self.model, self.folder.last, note)
            self.folder.write_metrics(progress.metrics)
            self._checkpoint()
        self.listen("epoch", line | {"best": progress.best, "best_epoch": progress.best_epoch + 1})

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
            found, probability = evaluate(best, self.test)
            for name, rows in (("train", self.train), ("validation", self.validation)):
                found[name] = evaluate(best, rows)[0]["overall"]
            self.folder.write_test(found, probability, self.test)
            self.progress.finished = True
            self._checkpoint()
        content: dict[str, Any] = json.loads(self.folder.test.read_text(encoding="utf-8"))
        chosen = {"best": self.progress.best, "best_epoch": self.progress.best_epoch + 1, "epochs": self.progress.epoch}
        return content | chosen


# -- parts ---------------------------------------------------------------------------------------------------------------


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


def fresh_model(settings: TrainSettings) -> Model:
    """With fresh weights, drawn by the seed."""
    check_model(settings)
    torch.manual_seed(settings.seed)
    return build(settings.model, Vocab.default(), settings.cell, settings.head, settings.unit)


def check_corpus(corpus: Path, settings: TrainSettings) -> None:
    """Has it equations to train on, to choose by and to test with?"""
    for split in ("train", "validation"):
        rows_of(corpus, split, settings)
    Dataset.read(corpus, "test")


def check_model(settings: TrainSettings) -> None:
    """Can it be made, on a machine like ours? No memory is taken for it."""
    name, arguments = settings.model, (Vocab.default(), settings.cell, settings.head, settings.unit)
    with torch.device("meta"):  # shapes only
        known: dict[str, Any] = (build(name, Vocab.default()).build_arguments or {})["settings"]
    for key, value in settings.cell.items():
        if key not in known:
            raise DataError(f"unknown setting cell.{key} of {name}; known: {', '.join(known) or 'none'}")
        if not _is_like(value, known[key]):
            raise DataError(f"setting cell.{key} of {name}: {value!r} is not of the kind of {known[key]!r}")
    try:
        with torch.device("meta"):
            parameters = count_parameters(build(name, *arguments))
    except (ValueError, RuntimeError, OverflowError) as error:
        raise DataError(f"{name}: {str(error).splitlines()[0]}") from error
    if parameters > MOST_PARAMETERS:
        raise DataError(f"{name}: {parameters:,} parameters are too many for one machine; lower cell.hidden")


def _is_like(value: Any, default: Any) -> bool:
    kind = type(default)
    return type(value) is kind or (kind is float and type(value) is int)
