"""Time per epoch of training with the compiled pass, on one or more threads, and with the hand-written one, on one.

    python benchmarks/passes.py CORPUS [--model tree-smu] [--recipe treesmu-1] [--batch 128 256] [--threads 1 2] [--rounds 7]

Rounds are interleaved: in each round some batches of every way. Medians. As in training, another thread prepares the batches.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import torch

from treesmu.models.compiled.threads import instead_of_pytorch
from treesmu.training.settings import TrainSettings
from treesmu.training.steps.fast_arithmetic import keep_freed_memory
from treesmu.training.trainer import Trainer

STEPS = 12  # of a turn


class Way:
    """A training run with one pass and one number of threads."""

    def __init__(self, corpus: Path, out: Path, settings: TrainSettings, is_compiled: bool, threads: int) -> None:
        self.name = f"{'compiled' if is_compiled else 'by hand'}, {threads} thread{'s' * (threads > 1)}"
        self.is_compiled, self.threads, self.seconds = is_compiled, threads, list[float]()
        self.trainer = Trainer(corpus, out / self.name, settings)
        self.trainer.model.encoder.compiled = is_compiled
        self.trainer.model.train()

    def turn(self, epoch: int) -> None:
        """Time some steps; keep the seconds that an epoch of such steps takes."""
        torch.set_num_threads(self.threads)
        trainer = self.trainer
        batches, rate = trainer.batches.epoch(epoch), trainer.learning_rate()
        steps = min(STEPS, trainer.batches.steps - 1)
        with instead_of_pytorch() if self.is_compiled else nullcontext():
            trainer.optimization.step(next(batches), rate)  # the first waits for its batch
            began = time.perf_counter()
            for _ in range(steps):
                trainer.optimization.step(next(batches), rate)
            self.seconds.append((time.perf_counter() - began) / steps * trainer.batches.steps)
        batches.close()  # type: ignore[attr-defined]


def race(args: argparse.Namespace, batch: int, out: Path) -> None:
    settings = TrainSettings.of(args.recipe, model=args.model, batch=batch)
    ways = [Way(args.corpus, out, settings, True, t) for t in args.threads] + [Way(args.corpus, out, settings, False, 1)]
    for round_ in range(-1, args.rounds):
        for way in ways:
            way.turn(round_ + 1)
    print(f"\n{args.model}, recipe {args.recipe}, batch {batch}, {ways[0].trainer.data.rows:,} equations")
    first = ways[0].seconds
    for way in ways:
        ratio = statistics.median(a / b for a, b in zip(way.seconds[1:], first[1:], strict=True))
        print(f"  {way.name:24} {statistics.median(way.seconds[1:]):8.3f} s per epoch   {ratio:5.2f} times the first line's")


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", default="tree-smu")
    parser.add_argument("--recipe", default="treesmu-1")
    parser.add_argument("--batch", type=int, nargs="+", default=[128, 256])
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    torch.set_flush_denormal(True)
    keep_freed_memory()
    for batch in args.batch:
        with tempfile.TemporaryDirectory() as out:
            race(args, batch, Path(out))


if __name__ == "__main__":
    main()
