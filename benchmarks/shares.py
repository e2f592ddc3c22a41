"""Where the time of a training step goes: planning, compiled code up and down, head and loss, Adam, and Python around them.

    python benchmarks/shares.py [--models smu50 lstm50] [--batches 32 256] [--data blanks] [--seconds 3]

The step is that of ``treesmu train`` on one thread, on batches as in batching.py. Times are processor time of the thread, so
that other work on the machine counts only by what it does to the cache; medians over steps. ``--loop`` measures the encoder in
a loop of PyTorch instead: there the head, the loss and Adam are PyTorch's, and are counted as the rest.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

from batching import MODELS
from contest.equations import REFERENCE, Equations, blanks, generated
from contest.ours import InALoop, Ours
from treesmu.data import CorpusPlan
from treesmu.models.compiled import forest_pass
from treesmu.tasks import compiled_loss
from treesmu.training import compiled_adam
from treesmu.training.steps.fast_arithmetic import keep_freed_memory

# What is timed: the owner of a function, its name there, and what to call it. Whatever else a step does is the rest.
PARTS: list[tuple[Any, str, str]] = [
    (CorpusPlan, "batch", "forest of the batch"),
    (forest_pass, "plan_forest", "plan of the forest"),
    (forest_pass, "UP", "compiled, up"),
    (compiled_loss, "COMPARE", "head and loss"),
    (forest_pass, "DOWN", "compiled, down"),
    (compiled_adam, "STEP", "Adam"),
]
COMPILED = {"compiled, up", "head and loss", "compiled, down", "Adam"}


class Timers:
    """The seconds of every part within the present step, and those of all steps before."""

    def __init__(self) -> None:
        self.now: dict[str, float] = {}
        self.steps: list[dict[str, float]] = []
        for owner, name, part in PARTS:
            setattr(owner, name, self.timed(getattr(owner, name), part))

    def timed(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def run(*arguments: Any, **keywords: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*arguments, **keywords)
            finally:
                self.now[part] = self.now.get(part, 0.0) + time.thread_time() - began

        return run

    def step(self, train: Callable[[], None]) -> None:
        self.now = {}
        began = time.thread_time()
        train()
        whole = time.thread_time() - began
        self.steps.append({**self.now, "rest": whole - sum(self.now.values()), "whole step": whole})


def measure(ours: Ours, size: int, seconds: float, timers: Timers) -> None:
    """Train for some seconds on batches of this size; print the median of each part, and of the step."""
    equations = ours.equations
    batches = ours.batches(equations.order[:512], size)
    for rows in batches:
        ours.train(rows, equations.labels[rows])  # what is compiled, allocated or looked up once is not counted
    timers.steps.clear()
    gc.collect()
    gc.freeze()  # as in training: the garbage collector need not visit the equations
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        rows = batches[number % len(batches)]
        timers.step(partial(ours.train, rows, equations.labels[rows]))
        number += 1
    names = [*(part for _, _, part in PARTS), "rest", "whole step"]
    found = {name: statistics.median(step.get(name, 0.0) for step in timers.steps) for name in names}
    for name, took in found.items():
        print(f"  {name:24} {1e3 * took:8.3f} ms {took / found['whole step']:7.1%}")
    share = sum(found[name] for name in COMPILED) / found["whole step"]
    print(
        f"  in compiled code {share:.0%}; {statistics.mean(equations.nodes) * size / found['whole step']:,.0f} nodes per second"
    )


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=["smu50", "lstm50"])
    parser.add_argument("--batches", type=int, nargs="+", default=[32, 256])
    parser.add_argument("--data", choices=["generated", "blanks"], default="blanks")
    parser.add_argument("--corpus", type=Path, default=Path(tempfile.gettempdir()) / "treesmu-race")
    parser.add_argument("--reference", type=Path, default=REFERENCE, help="the folder of the authors' files (%(default)s)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement (%(default)s)")
    parser.add_argument("--loop", action="store_true", help="the encoder in a loop of PyTorch")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    keep_freed_memory()
    equations: Equations | None = blanks(args.reference) if args.data == "blanks" else generated(args.corpus)
    if equations is None:
        raise SystemExit(f"shares.py: the authors' files are absent ({args.reference}); use --data generated")
    print(equations.describe())
    timers = Timers()
    for setting in (MODELS[name] for name in args.models):
        ours = (InALoop if args.loop else Ours)(equations, setting)
        for size in args.batches:
            print(f"\n{setting}, batch {size}, {ours.name}")
            measure(ours, size, args.seconds, timers)


if __name__ == "__main__":
    main()
