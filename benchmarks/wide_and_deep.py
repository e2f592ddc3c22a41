"""Processor time per node of wide and of deep trees, by their size: it should not grow.

    python benchmarks/wide_and_deep.py [--model tree-smu] [--sizes 1000 10000 100000] [--rounds 3]

A wide tree is one node with all others below it; a deep one is a chain of nodes with two children, half as deep as it has
nodes. Each is written as JSONL, read, planned, and passed through the model forwards and backwards. Microseconds per node, the
least of all rounds, and in brackets the ratio to the smallest size: 1 is linear, 10 would be quadratic.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from treesmu.data.tree_files.read import read_trees
from treesmu.data.tree_files.reading import Reading
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.training.fresh_model import fresh_tree_model
from treesmu.training.settings import TrainSettings

STEPS = ("read", "plan", "batch", "forward", "backward")


def wide(nodes: int, rng: random.Random) -> str:
    return json.dumps(["f", *(rng.randrange(10) for _ in range(nodes - 1))])


def deep(nodes: int, rng: random.Random) -> str:
    levels = (nodes - 1) // 2
    return "".join(f'["f", {rng.randrange(10)}, ' for _ in range(levels)) + "1" + "]" * levels


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    found = call()
    return time.process_time() - began, found


def measure(file: Path, model_name: str) -> dict[str, float]:
    """Return the processor time per node of each step, in microseconds."""
    spent: dict[str, float] = {}
    spent["read"], table = seconds(lambda: read_trees(file))
    settings = TrainSettings.of(task="classify", model=model_name, cell={"hidden": 16})
    model = fresh_tree_model(settings, Reading.learn(table), AnswerKind("classify", (0, 1)))
    model.encoder.compiled = True  # at any size: otherwise small forests are computed by hand
    spent["plan"], (plan, _) = seconds(lambda: model.plan(table))
    spent["batch"], batch = seconds(lambda: plan.batch(np.arange(len(table))))
    spent["forward"], outputs = seconds(lambda: model(batch))
    spent["backward"], _ = seconds(lambda: outputs.sum().backward())
    return {step: 1e6 * some / len(table.token) for step, some in spent.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="tree-smu")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (("wide", wide), ("deep", deep)):
            found: dict[int, dict[str, float]] = {}
            for size in given.sizes:
                file, rng = Path(folder) / f"{name}{size}.jsonl", random.Random(1)
                file.write_text("".join(f'{{"tree": {make(size, rng)}, "label": {k}}}\n' for k in (0, 1)), encoding="utf-8")
                if not found:
                    measure(file, given.model)  # loads or compiles the code
                rounds = [measure(file, given.model) for _ in range(given.rounds)]
                found[size] = {step: min(one[step] for one in rounds) for step in STEPS}
            print(f"\n{name}, {given.model}: microseconds of processor time per node")
            print(f"{'nodes':>9}" + "".join(f"{step:>18}" for step in STEPS))
            first = found[given.sizes[0]]
            for size, one in found.items():
                cells = [f"{one[step]:.2f} ({one[step] / first[step]:.1f})" for step in STEPS]
                print(f"{size:>9,}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
