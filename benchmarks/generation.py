"""Verified equations a second and core.   Run: python benchmarks/generation.py  (or: make bench)

Chain mode: one equation a depth along a chain, depths 3-19, every one checked. Beside it: chains that reach depth 19.
The original generator makes ten correct equations a second, and checks none.
"""

from __future__ import annotations

import gc
import statistics
import time

from treesmu.generate.axioms import FAMILIES
from treesmu.generate.shard import Recipe, grow_chains

PAIRS, ROUNDS = 1000, 3

if __name__ == "__main__":
    gc.disable()
    for name, families in (("all families", FAMILIES), ("the paper's domain", ("algebra", "numbers", "trigonometry"))):
        recipe = Recipe(families)
        grow_chains(recipe, "warm", 100, 19)
        rates, last = [], []
        for i in range(ROUNDS):
            start = time.perf_counter()
            found = grow_chains(recipe, f"round {i}", PAIRS, 19)
            took = time.perf_counter() - start
            depths = [e.depth for e, *_ in found]
            rates.append(sum(3 <= d <= 19 for d in depths) / took)
            last.append(sum(d == 19 for d in depths) / took)
        print(
            f"{name}: {statistics.median(rates):,.0f} verified equations a second and core (depth 3-19, chain mode); ", end=""
        )
        print(f"{statistics.median(last):,.0f} chains a second that reach depth 19")
