"""A run that is killed at random moments and resumed until it is done; a program started by test_trainer.py.

python killed.py CORPUS OUT SETTINGS SEED KILLS: trains once without interruption (OUT/whole), then trains further runs
(OUT/killed-0, ...) until there were KILLS kills. The moments are relative to the time of the whole run, whatever the machine.
Children are forked from a process that has loaded everything, so that they start at once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import torch
import torch._dynamo  # Adam loads it otherwise, one second in every child

from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer


def start(corpus: Path, out: Path, settings: TrainSettings) -> int:
    """Start a process that trains or resumes a run; return its id."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            torch.set_num_threads(1)
            Trainer(corpus, out, settings, resume=True, checkpoint_seconds=0).run()
            code = 0
        finally:
            os._exit(code)
    return child


def is_done(child: int, seconds: float) -> bool:
    """Return whether the process ends by itself within this time; otherwise kill it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return True
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def main(corpus: Path, out: Path, settings: TrainSettings, seed: int, wanted: int) -> None:
    began = time.monotonic()
    assert is_done(start(corpus, out / "whole", settings), 600)
    whole = time.monotonic() - began
    rng, kills, runs = random.Random(seed), 0, 0
    while kills < wanted:
        while not is_done(start(corpus, out / f"killed-{runs}", settings), rng.uniform(0.05, 0.5) * whole):
            kills += 1
        runs += 1
    print(json.dumps({"kills": kills, "runs": runs, "seconds": whole}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), TrainSettings.of(**json.loads(sys.argv[3])), int(sys.argv[4]), int(sys.argv[5]))
