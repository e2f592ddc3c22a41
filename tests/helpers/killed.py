"""A run that is killed at random moments and resumed until it is done; a program started by test_resume.py.

python killed.py CORPUS OUT SETTINGS SEED KILLS: trains once without interruption (OUT/whole), then trains further runs
(OUT/killed-0, ...) until there were KILLS kills. A moment is a number of function calls since the process began, relative to
those of the whole run, so that it means the same progress on every machine: one in five while the training is prepared,
the others within it. Children are forked from a process that has loaded everything, so that they start at once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import torch
import torch._dynamo  # Adam loads it otherwise, one second in every child

from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

JUST_AFTER = 0.002  # seconds: the kernel kills at most so long after the call, and so within native code too


class Calls:
    """Counts the calls of functions of this thread, and has the process killed after some of them."""

    def __init__(self, until: int | None, delay: float) -> None:
        self.count, self.until, self.delay = 0, until, delay

    def __call__(self, _frame: Any, event: str, _function: Any) -> None:
        self.count += event in ("call", "c_call")
        if self.until is not None and self.count >= self.until:
            self.until = None
            signal.setitimer(signal.ITIMER_REAL, self.delay)  # SIGALRM ends the process as SIGKILL does: nobody handles it


def train(corpus: Path, out: Path, settings: TrainSettings, until: int | None = None, delay: float = 0.0) -> list[int]:
    """Train or resume a run in a child process; return how many calls had prepared it and how many it took; none if killed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            torch.set_num_threads(1)
            calls = Calls(until, delay)
            sys.setprofile(calls)
            trainer = Trainer(corpus, out, settings, resume=True, checkpoint_seconds=0)
            prepared = calls.count
            trainer.run()
            sys.setprofile(None)
            os.write(writer, f"{prepared} {calls.count}".encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        counts = [int(count) for count in pipe.read().split()]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGALRM), status
    return counts if status == 0 else []


def main(corpus: Path, out: Path, settings: TrainSettings, seed: int, wanted: int) -> None:
    prepared, whole = train(corpus, out / "whole", settings)
    rng, kills, runs = random.Random(seed), 0, 0

    def moment() -> int:
        within = rng.uniform(0.05, 0.5) * (whole - prepared)
        return int(rng.uniform(0.05, 1) * prepared if rng.random() < 0.2 else prepared + within)

    while kills < wanted:
        while not train(corpus, out / f"killed-{runs}", settings, moment(), rng.uniform(1e-6, JUST_AFTER)):
            kills += 1
        runs += 1
    print(json.dumps({"kills": kills, "runs": runs, "calls": [prepared, whole]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), TrainSettings.of(**json.loads(sys.argv[3])), int(sys.argv[4]), int(sys.argv[5]))
