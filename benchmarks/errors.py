"""Where a model errs: by the kind of change, and by the family of functions.   Run: python benchmarks/errors.py MODEL CORPUS

MODEL: a run folder, a file of weights or the name of a shipped model. CORPUS: a folder of ``treesmu generate``; its test
equations are used.

1. Near misses: every correct equation is changed in each of the six ways that the generator knows, at a random node at which
   that is possible; changes that the numeric check does not call incorrect are left out. The figure is the share that the
   model rejects, next to the share of the correct equations that it accepts.
2. Families: accuracy of the test equations as they are, by the functions that occur in them besides sums, products and powers.
   Equations with functions of two families or more are "mixed".
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import treesmu
from treesmu.data import Dataset
from treesmu.expr import Expr, check_many
from treesmu.generate.alter import CHANGES

DEPTHS = {"1-7": (1, 7), "8-13": (8, 13), "14-19": (14, 19)}
ARITHMETIC = "algebra only"


def changed(e: Expr, change: str, rng: Random) -> Expr | None:
    """Return the equation with one change of this kind at a random node; None if there is no such node."""
    places = [pair for pair in e.paths() if pair[0]]
    rng.shuffle(places)
    for path, here in places:
        new = CHANGES[change](here, e, rng)
        if new is not None and new is not here:
            return e.replace(path, new)
    return None


def near_misses(correct: list[Expr], change: str, seed: int) -> list[Expr]:
    """Return one incorrect equation for each correct one that can be changed in this way."""
    rng = Random(f"{seed} {change}")
    made = [other for e in correct if (other := changed(e, change, rng)) is not None]
    return [e for e, verdict in zip(made, check_many(made), strict=True) if verdict.label == "incorrect"]


def family_of(e: Expr) -> str:
    """Return the family of the functions of an equation."""
    families = {here.op.family for _, here in e.paths() if here.op is not None}
    families -= {"arithmetic", "equality"}
    return ARITHMETIC if not families else families.pop() if len(families) == 1 else "mixed"


def shares(is_right: np.ndarray[Any, Any], depth: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return how many equations there are in each range of depths, and the percentage that is right."""
    found: dict[str, Any] = {}
    for name, (first, last) in {**DEPTHS, "all": (0, 10**6)}.items():
        rows = is_right[(depth >= first) & (depth <= last)]
        found[name] = {"equations": len(rows), "percent": round(100 * float(rows.mean()), 1) if len(rows) else None}
    return found


def by_change(model: treesmu.models.Model, correct: list[Expr], seed: int) -> dict[str, Any]:
    """Return the share of correct equations accepted, and for each change the share of near misses rejected."""
    sets = {"correct (accepted)": (correct, True)}
    sets |= {change: (near_misses(correct, change, seed), False) for change in CHANGES}
    found = {}
    for name, (equations, is_correct) in sets.items():
        said = model.verify(equations) > 0.5
        found[name] = shares(said == is_correct, np.array([e.depth for e in equations]))
    return found


def by_family(model: treesmu.models.Model, rows: Dataset) -> dict[str, Any]:
    """Return the accuracy for each family of functions."""
    equations = list(rows.expressions())
    is_right = (model.verify(equations) > 0.5) == (rows.label == 1)
    members = defaultdict(list)
    for row, e in enumerate(equations):
        members[family_of(e)].append(row)
    return {name: shares(is_right[where], rows.depth[where]) for name, where in sorted(members.items())}


def drawn(rows: Dataset, per_depth: int, rng: Random) -> Dataset:
    """Return at most so many rows of each depth."""
    kept: list[int] = []
    for depth in sorted(set(rows.depth.tolist())):
        of_depth = np.flatnonzero(rows.depth == depth).tolist()
        kept += sorted(rng.sample(of_depth, min(per_depth, len(of_depth))))
    return rows.take(np.array(kept))


def table(title: str, found: dict[str, Any]) -> str:
    """Return the shares as a table in Markdown."""
    columns = [*DEPTHS, "all"]
    lines = [f"| {title} | " + " | ".join(columns) + " | equations |", "|---" * (len(columns) + 2) + "|"]
    for name, row in found.items():
        cells = ["-" if row[column]["percent"] is None else f"{row[column]['percent']:.1f}" for column in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {row['all']['equations']:,} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("   Run:")[0])
    parser.add_argument("model")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--per-depth", type=int, default=200, help="equations of each depth and table (default: 200)")
    parser.add_argument("--points", type=int, help="read variables at this many points")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    model = treesmu.load(given.model)
    if given.points:
        model.encoder.points = given.points
    rows = Dataset.read(given.corpus, "test")
    rng = Random(given.seed)
    correct = list(drawn(rows.take(rows.label == 1), given.per_depth, rng).expressions())
    found = {
        "by_change": by_change(model, correct, given.seed),
        "by_family": by_family(model, drawn(rows, given.per_depth, rng)),
    }
    if given.json:
        print(json.dumps(found, indent=2))
    else:
        print(table("change", found["by_change"]), table("family", found["by_family"]), sep="\n\n")


if __name__ == "__main__":
    main()
