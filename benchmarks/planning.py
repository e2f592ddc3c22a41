"""Load and plan a million equations for training.   Run: python benchmarks/planning.py [ROWS | CORPUS.parquet]

Goal: under 30 seconds and 4 GB for a million equations of about 45 nodes, on one core. Without a file the corpus is synthetic:
random equations whose sides have the same sub-expressions in different places, repeated with other leaves and functions.
Prints seconds, peak memory, sharing, and the time to make the forest of a batch.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from treesmu.data.trees.plan import CorpusPlan
from treesmu.data.trees.vocab import Vocab
from treesmu.expr import FUNCTIONS

SEED, TEMPLATES = 1, 20_000
LEAVES = "x y z w 0 1 2 3 4 5 -1 -2 1/2 pi e 10".split()
UNARY = [f.name for f in FUNCTIONS if f.arity == 1]
BINARY = [f.name for f in FUNCTIONS if f.arity == 2]


def random_part(rng: random.Random, nodes: int) -> list[str]:
    if nodes <= 1:
        return [rng.choice(LEAVES)]
    if nodes == 2 or rng.random() < 0.3:
        return [rng.choice(UNARY), *random_part(rng, nodes - 1)]
    left = rng.choice((1, nodes - 2, rng.randrange(1, nodes - 1)))  # often lopsided, so that depth grows
    return [rng.choice(BINARY[:3]), *random_part(rng, left), *random_part(rng, nodes - 1 - left)]


def template(rng: random.Random) -> list[str]:
    """Return an equation whose sides have the same sub-expressions in different places; the right side has one more."""
    a, b, c, own = (random_part(rng, rng.randint(1, nodes)) for nodes in (24, 8, 8, 8))
    return ["Equality", "Add", "Mul", *a, *b, rng.choice(UNARY), *c, "Add", "Mul", *b, *a, *own]


def synthetic(rows: int) -> pa.Array:
    """Return templates repeatedly, each time with other leaves in every row and some other functions."""
    rng, numbers = random.Random(SEED), np.random.default_rng(SEED)
    words = ["Equality", *BINARY, *UNARY, *LEAVES]
    code = {word: i for i, word in enumerate(words)}
    templates = [np.array([code[w] for w in template(rng)], np.int8) for _ in range(TEMPLATES)]
    texts = []
    for start in range(0, rows, TEMPLATES):
        some = templates[: rows - start]
        tokens = np.concatenate(some)
        row = np.repeat(np.arange(len(some)), [len(t) for t in some])
        leaves = numbers.integers(code[LEAVES[0]], len(words), (len(some), len(LEAVES)))  # (rows, leaves): its new name
        is_leaf = tokens >= code[LEAVES[0]]
        tokens[is_leaf] = leaves[row[is_leaf], tokens[is_leaf] - code[LEAVES[0]]]
        other = (tokens >= code[UNARY[0]]) & (tokens < code[LEAVES[0]]) & (numbers.random(len(tokens)) < 0.1)
        tokens[other] = numbers.integers(code[UNARY[0]], code[LEAVES[0]], other.sum())
        offsets = np.cumsum([0, *(len(t) for t in some)])
        texts.append(pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(words).take(tokens)), " "))
    return pa.chunked_array(texts)


def peak_gb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # Linux counts in KB


def plan(file: Path) -> None:
    before, start = peak_gb(), time.perf_counter()
    prefix = pq.read_table(file, columns=["prefix"], use_threads=False)["prefix"]
    loaded = time.perf_counter()
    made = CorpusPlan.from_prefix(prefix, Vocab.default())
    planned = time.perf_counter()
    nodes, distinct = int(made.size.sum()), len(made.children)
    depths = f"depth {made.depth.min()}-{made.depth.max()}, mean {made.depth.mean():.1f}"
    print(f"{len(made):,} equations, {nodes:,} nodes, {nodes / len(made):.1f} each, {depths}")
    print(f"loaded {loaded - start:.1f} s, planned {planned - loaded:.1f} s, together {planned - start:.1f} s (goal 30)")
    print(f"peak memory {peak_gb():.2f} GB (goal 4), of which {before:.2f} before loading")
    print(f"distinct: {len(made.members) / len(made):.1f} per equation; {distinct:,} in total, ratio {nodes / distinct:.2f}")
    rng = np.random.default_rng(SEED)
    for size in (32, 128, 256):
        batches = [rng.integers(0, len(made), size) for _ in range(200)]
        for share in (True, False):
            start = time.perf_counter()
            found = [len(made.batch(rows, share).nodes) for rows in batches]
            each = (time.perf_counter() - start) / len(batches)
            kind = "shared" if share else "unshared"
            print(f"batch {size:3d} {kind:8s} {np.mean(found):7.0f} nodes, plan {each * 1e3:.2f} ms")


def main() -> None:
    argument = sys.argv[1] if len(sys.argv) > 1 else "1000000"
    if not argument.isdigit():
        plan(Path(argument))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.parquet"
        if (child := os.fork()) == 0:  # in another process, so that its memory is not counted
            pq.write_table(pa.table({"prefix": synthetic(int(argument))}), file, compression="zstd")
            os._exit(0)
        os.waitpid(child, 0)
        plan(file)


if __name__ == "__main__":
    main()
