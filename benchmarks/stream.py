"""Equations per second and core of each source of a stream.   Run: python benchmarks/stream.py [--rows 10000] [--depths 1-7]

One process makes a part of each source alone, then one of all of them with the plan and the values that training needs, as a
worker of `treesmu train --stream` does. Processor time, not elapsed time: other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import time

from treesmu.data import Vocab
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.generate.settings import corpus_settings
from treesmu.generate.stream.held_out import HeldOut
from treesmu.generate.stream.part import make_part
from treesmu.generate.stream.settings import SOURCES, Source, StreamSettings

MIXTURE: dict[Source, float] = {
    "numeric": 0.3,
    "textbook": 1,
    "published": 1,
    "filler": 1,
    "mutation": 1,
    "slip": 1,
    "near-miss": 2,
}


def timed_part(mixture: dict[Source, float], rows: int, depths: tuple[int, int], planner: Planner) -> tuple[PlannedRows, float]:
    """Return a part of a stream and the processor time that it took."""
    settings = StreamSettings(0, rows, depths, tuple(mixture.items()), corpus_settings("hard"))
    nothing = HeldOut.of([])
    make_part(
        StreamSettings(1, 100, depths, settings.mixture, settings.corpus), planner, nothing, 0
    )  # identities are read once
    gc.collect()
    start = time.process_time()
    part = make_part(settings, planner, nothing, 0)
    return part, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--depths", default="1-7")
    args = parser.parse_args()
    low, _, high = args.depths.partition("-")
    depths = int(low), int(high)
    vocab = Vocab.default()
    for source in SOURCES:
        _, took = timed_part({source: 1.0}, args.rows, depths, Planner(vocab, is_deferred=True))
        print(f"{source:10} {args.rows / took:7,.0f} equations per second and core")
    part, took = timed_part(MIXTURE, args.rows, depths, Planner(vocab, has_values=True))
    size = len(pickle.dumps(part, pickle.HIGHEST_PROTOCOL))
    print(f"all, planned, with values: {args.rows / took:,.0f} per second; {size / args.rows:,.0f} bytes each to training")


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)  # as in the workers
    main()
