"""Verified equations per second and core, and corpora.   Run: python benchmarks/generation.py [--corpora]  (or: make bench)

Chain mode: one equation per depth along a chain, depths 3-19, all checked; also the rate at which chains reach depth 19, and
the rate of whole shards (with text and fingerprints, as `treesmu generate` makes them). With --corpora: the `paper` corpus and
a million training equations, on all cores. The original generator makes ten correct equations per second.
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sized
from pathlib import Path

from treesmu.generate.axioms import FAMILIES
from treesmu.generate.chains.shard import ShardSettings, grow_chains, grow_shard

PAIRS, ROUNDS = 1000, 3


def rates() -> None:
    for name, families in (
        ("all families", FAMILIES),
        ("algebra, numbers, trigonometry", ("algebra", "numbers", "trigonometry")),
    ):
        settings = ShardSettings(families)
        grow_chains(settings, "warm", 100, 19)
        chain, deepest, whole = [], [], []
        for i in range(ROUNDS):
            found, took = timed(lambda i=i, settings=settings: grow_chains(settings, f"round {i}", PAIRS, 19))
            chain.append(sum(3 <= e.depth <= 19 for e, *_ in found) / took)
            deepest.append(sum(e.depth == 19 for e, *_ in found) / took)
            rows, took = timed(lambda i=i, settings=settings: grow_shard(settings, f"round {i}", PAIRS, 19))
            whole.append(len(rows) / took)
        middle = [statistics.median(r) for r in (chain, deepest, whole)]
        print(f"{name}: {middle[0]:,.0f} verified equations per second and core (depth 3-19, chain mode)")
        print(f"  {middle[1]:,.0f} chains that reach depth 19 and {middle[2]:,.0f} rows with text and fingerprints per second")


def timed(work: Callable[[], Sized]) -> tuple[Sized, float]:
    gc.collect()
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def corpora() -> None:
    for name, options in (
        ("paper", ["--preset", "paper"]),
        ("million", ["--preset", "hard", "--train-size", "1000000", "--per-depth", "500"]),
    ):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / name
            _, took = timed(
                lambda out=out, options=options: subprocess.check_output(["treesmu", "generate", str(out), *options])
            )
            manifest = json.loads((out / "manifest.json").read_text())
            rows = {file: facts["rows"] for file, facts in manifest["files"].items()}
            print(f"{name}: {took:.0f} s; {rows}; undecided at depth 19 {manifest['undecided']['19']:.1%}; ", end="")
            print(f"most padding at a depth {max(manifest['padding'].values()):.1%}")


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)  # as in the workers of `treesmu generate`
    rates()
    if "--corpora" in sys.argv:
        corpora()
