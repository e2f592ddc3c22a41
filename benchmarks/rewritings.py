"""Whether a verdict gets better if it is averaged over equal rewritings.   Run: python benchmarks/rewritings.py MODEL CORPUS

MODEL: a run folder, a file of weights or the name of a shipped model. CORPUS: a folder of ``treesmu generate``; equations of
its validation or test split (--split). Every equation is also read with the operands of its sums and products exchanged at
random, which changes neither its meaning nor its depth, and the logits of all readings are averaged. The accuracy is shown for
1, 2, 4, ... readings, at the model's own number of points and at a quarter of them: at equal cost, more points compete with
more rewritings.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

import treesmu
from errors import DEPTHS, drawn
from treesmu.data import Dataset
from treesmu.expr import Expr, distinct, node
from treesmu.expr.ops import ADD, MUL


def exchanged(e: Expr, rng: Random) -> Expr:
    """Return the expression with the operands of every sum and product in a random order."""
    done: dict[Expr, Expr] = {}
    for here in distinct([e]):  # children first; equal sub-expressions stay equal
        if here.op is None:
            done[here] = here
            continue
        children = [done[child] for child in here.children]
        if here.op in (ADD, MUL) and rng.random() < 0.5:
            children.reverse()
        done[here] = node(here.op, *children)
    return done[e]


def readings(model: treesmu.models.Model, equations: list[Expr], count: int, seed: int) -> np.ndarray[Any, Any]:
    """Return the logits of the equations as they are, and of count - 1 rewritings of each: (count, equations)."""
    rng = Random(seed)
    rewritten = [equations, *([exchanged(e, rng) for e in equations] for _ in range(count - 1))]
    return np.stack([model.logits(texts) for texts in rewritten])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("   Run:")[0])
    parser.add_argument("model")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="validation")
    parser.add_argument("--per-depth", type=int, default=200, help="equations of each depth (default: 200)")
    parser.add_argument("--readings", type=int, default=8, help="of each equation, a power of two (default: 8)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)  # as the commands do
    model = treesmu.load(given.model)
    rows = drawn(Dataset.read(given.corpus, given.split), given.per_depth, Random(given.seed))
    equations, is_correct = list(rows.expressions()), rows.label == 1
    whole = model.encoder.points
    print(f"{len(equations):,} equations of {given.corpus}, {given.split}")
    print("| points | readings | " + " | ".join(DEPTHS) + " |", "|---" * (len(DEPTHS) + 2) + "|", sep="\n")
    for points in (whole // 4, whole) if whole else (whole,):
        model.encoder.points = points
        logits = readings(model, equations, given.readings, given.seed)
        for count in (2**k for k in range(given.readings.bit_length())):
            mean = logits[:count].mean(0)
            if model.calibration is not None:
                mean = model.calibration.logits(mean, rows.depth)
            is_right = (mean > 0) == is_correct
            cells = [f"{100 * is_right[(rows.depth >= a) & (rows.depth <= b)].mean():.1f}" for a, b in DEPTHS.values()]
            print(f"| {points} | {count} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
