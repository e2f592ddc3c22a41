"""Time per epoch of training for all models: the same equations, hidden size, batch size and recipe, one thread.

    python benchmarks/epochs.py CORPUS [--rows 4096] [--rounds 5] [--hidden 50] [--depths 1-7] [--profile]

Rounds are interleaved: in each round a part of an epoch of every model. Medians. Batches are prepared as in training.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from treesmu import registry
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

PART = 16  # each round times 1/16 of an epoch


def trainer_of(name: str, corpus: Path, out: Path, given: dict[str, Any]) -> Trainer:
    trainer = Trainer(corpus, out / name, TrainSettings.of("paper", model=name, **given))
    trainer.model.train()
    return trainer


def seconds(trainer: Trainer, epoch: int) -> float:
    """Return the seconds of an epoch, estimated from its first batches."""
    steps = max(1, trainer.batches.steps // PART)
    batches = trainer.batches.epoch(epoch)
    step, rate = trainer.optimization.step, trainer.learning_rate()
    step(next(batches), rate)  # the first waits for its batch
    began = time.perf_counter()
    for _ in range(steps):
        step(next(batches), rate)
    took = time.perf_counter() - began
    batches.close()  # type: ignore[attr-defined]
    return took / steps * trainer.batches.steps


def shares(trainer: Trainer) -> str:
    """Return the shares of a step's time by PyTorch's profiler: the model (forward and backward) and the optimizer."""
    from torch.profiler import ProfilerActivity, profile, record_function

    batches = trainer.batches.epoch(0)
    prepared = [next(batches) for _ in range(20)]
    batches.close()  # type: ignore[attr-defined]
    step = trainer.optimization.adam.step
    with profile(activities=[ProfilerActivity.CPU]) as seen:
        for one in prepared:
            with record_function("one step"):
                with record_function("model"):
                    trainer.optimization.gradients(one)
                with record_function("optimizer"):
                    step()
    total = {event.key: event.cpu_time_total for event in seen.key_averages()}
    whole = total["one step"]
    return ", ".join(f"{name} {total[name] / whole:.0%}" for name in ("model", "optimizer"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rows", type=int, default=None, help="training equations; all by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=50)
    parser.add_argument("--depths", default="1-7")
    parser.add_argument("--profile", action="store_true", help="also show the shares of a step's time")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    names = [name for name in registry.names() if name != "majority"]
    given = {"rows": asked.rows, "depths": asked.depths, "cell": {"hidden": asked.hidden}}
    with tempfile.TemporaryDirectory() as folder:
        trainers = {name: trainer_of(name, asked.corpus, Path(folder), given) for name in names}
        rounds = [{name: seconds(trainer, k) for name, trainer in trainers.items()} for k in range(asked.rounds)]
        rows = next(iter(trainers.values())).data.rows
        print(f"{rows:,} equations of depth {asked.depths}, n={asked.hidden}, batch 32, one thread, {asked.rounds} rounds")
        print("model             seconds per epoch   relative to Tree-SMU")
        for name in names:
            took = statistics.median(one[name] for one in rounds)
            ratio = statistics.median(one[name] / one["tree-smu"] for one in rounds)
            profiled = f"   {shares(trainers[name])}" if asked.profile else ""
            print(f"{name:17} {took:16.1f}   {ratio:15.2f}{profiled}")


if __name__ == "__main__":
    main()
