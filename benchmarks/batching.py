"""Batched trees: nodes per second compared with peers, growth of cost.   Run: python benchmarks/batching.py  (or: make bench)

Training (forward, backward, fused Adam; dot-product head, binary cross-entropy) and inference, on generated equations of
depth 1-19 with all 29 functions and on the authors' blank files in ../shared/reference, against
  (a) one tree at a time, as in the original; Tree-LSTM also in the authors' parts, two linear maps per gate of a
      binary function, which is slower                           contest/one_by_one.py
  (b) treesmu's encoder, differentiated by autograd         contest/ours.py
  (c) pytorch-tree-lstm: child-sum, one set of weights    contest/peers.py
  (d) DyNet with autobatching: our Tree-LSTM              contest/in_dynet.py
  (e) nn.TransformerEncoder, 2 layers, the same width, batched by length, tokens in prefix order (the shortest) and with
      parentheses (the paper's)                           contest/peers.py
Treesmu is also timed without sharing, because all others compute every node of every tree. Nodes are counted with repetitions
on both sides, for every contestant. What is done once per data set (parsing, planning, the peers' orders, tokens) is not timed;
what is done once per batch is. All take turns of a fraction of a second, round after round; rates are medians over rounds,
ratios medians of the ratios within a round. Before that treesmu, (a), (b), (d) must give the same logits with the same weights.

The peers are not in requirements.lock. If they are absent, the race says so and goes on. To install them:
  python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r requirements.lock && /tmp/peers/bin/pip install --no-deps -e .
  /tmp/peers/bin/pip install --no-deps pytorch-tree-lstm==0.1.3 dyNET38==2.2

All measurements (the corpus is made by `treesmu generate` if it does not exist, in a minute):
  /tmp/peers/bin/python benchmarks/batching.py --corpus /tmp/race --threads 1 2 --json race.json        about 40 minutes
  /tmp/peers/bin/python benchmarks/batching.py --corpus /tmp/race --curve --json curve.json             cost up to 1M nodes
  /tmp/peers/bin/python benchmarks/batching.py --corpus /tmp/race --memory --json memory.json           1,000 steps at batch 256
In short, one core, n=50, training: --quick. Parts: --models smu50 lstm50 --batches 32 --modes training --data generated.

Long because a tenth of it is this description of what is compared, and how.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from contest.contestant import Contestant
from contest.equations import REFERENCE, Equations, blanks, generated
from contest.growth import curve, memory
from contest.in_dynet import DyNet
from contest.one_by_one import OneByOne
from contest.ours import SETTINGS, ByHand, InALoop, Ours, PerLevel, Setting, WithHiddenLayer
from contest.peers import PackageTreeLSTM, Transformer
from treesmu.training.steps.fast_arithmetic import keep_freed_memory

MODELS = dict(zip(("smu50", "smu100", "lstm50", "lstm100"), SETTINGS, strict=True))
PART = 32  # trees of a batch that are timed if all trees cost the same
GOALS = {  # how many times as fast as one tree at a time (Tree-LSTM in the authors' form), and as DyNet
    ("tree-smu", 50, 32): {OneByOne.name: 150},
    ("tree-smu", 50, 256): {OneByOne.name: 300},
    ("tree-lstm", 50, 32): {OneByOne.name + ", parts": 180, DyNet.name: 5},
    ("tree-lstm", 50, 256): {OneByOne.name + ", parts": 400},
}
POINTS = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]


def cores(threads: int) -> str:
    return f"{threads} core" + "s" * (threads > 1)


class Lane:
    """A contestant and its batches, which are used in turn, again and again."""

    def __init__(self, contestant: Contestant, rows: Any, size: int) -> None:
        self.contestant, self.at, self.count = contestant, 0, 1
        if isinstance(contestant, OneByOne):
            contestant.step_after = size
        of = contestant.equations
        found = contestant.batches(rows, min(size, PART) if contestant.tree_by_tree else size)
        self.batches = [(contestant.prepare(batch), of.labels[batch], int(of.nodes[batch].sum())) for batch in found]

    def run(self, mode: str) -> float:
        """Return nodes per second."""
        nodes, start = 0, time.perf_counter()
        for _ in range(self.count):
            batch, labels, size = self.batches[self.at]
            self.contestant.train(batch, labels) if mode == "training" else self.contestant.infer(batch)
            nodes += size
            self.at = (self.at + 1) % len(self.batches)
        return nodes / (time.perf_counter() - start)

    def warm_up(self, mode: str, seconds: float) -> None:
        """Warm up, and find out how many batches fill a turn."""
        self.count = 1 if self.contestant.tree_by_tree else 3
        self.run(mode)
        self.count = 1
        start = time.perf_counter()
        self.run(mode)
        self.count = max(1, round(seconds / (time.perf_counter() - start)))


def field(equations: Equations, setting: Setting) -> Iterator[Contestant]:
    """Yield all contestants that can run this setting; print which ones are absent."""
    n = setting.hidden
    yield from (Ours(equations, setting), Ours(equations, setting, share=False), InALoop(equations, setting))
    yield from (WithHiddenLayer(equations, setting), ByHand(equations, setting), PerLevel(equations, setting))
    yield OneByOne(equations, setting)
    if not setting.stack:
        yield OneByOne(equations, setting, in_parts=True)
    for peer in () if setting.stack else (PackageTreeLSTM, DyNet):
        try:
            yield peer(equations, n)
        except ImportError:
            print(f"  {peer.name} is absent; to install it: {peer.install}")
    yield from (Transformer(equations, n, parentheses=False), Transformer(equations, n, parentheses=True))


def check_equal(equations: Equations, contestants: list[Contestant]) -> None:
    """Exit unless the same weights give the same logits."""
    ours, *others = contestants
    assert isinstance(ours, Ours)
    rows = equations.order[:64]
    expected = ours.infer(ours.prepare(rows))
    for other in others:
        if isinstance(other, WithHiddenLayer):  # it has other weights
            continue
        if isinstance(other, Ours):
            other.model.load_state_dict(ours.model.state_dict())
        elif isinstance(other, OneByOne):
            other.model.copy_from(ours.model)
        elif isinstance(other, DyNet):
            other.copy_from(ours.model)
        else:
            continue
        error = float(np.abs(other.infer(other.prepare(rows)) - expected).max())
        if not error < 1e-4:
            raise SystemExit(f"batching.py: {other.name} differs from treesmu by {error:.2g}; nothing is timed")


def race(lanes: list[Lane], mode: str, rounds: int, seconds: float) -> list[dict[str, Any]]:
    for lane in lanes:
        lane.warm_up(mode, seconds)
    gc.collect()
    gc.freeze()  # the garbage collector need not visit the equations
    rates = [[lane.run(mode) for lane in lanes] for _ in range(rounds)]
    gc.unfreeze()
    found = []
    for place, lane in enumerate(lanes):
        own = [turn[place] for turn in rates]
        ratio = statistics.median(turn[0] / turn[place] for turn in rates)
        names = {"contestant": lane.contestant.name, "nodes_per_second": statistics.median(own), "ours_to_it": ratio}
        found.append({**names, "lowest": min(own), "highest": max(own)})
    return found


def all_races(args: argparse.Namespace) -> list[dict[str, Any]]:
    sources = {"generated": lambda: generated(args.corpus), "blanks": lambda: blanks(args.reference)}
    found = []
    for equations in (sources[name]() for name in args.data):
        if equations is None:
            print(f"\nblanks: the authors' files are absent ({args.reference}); skipped")
            continue
        print(f"\n{equations.describe()}")
        for setting in (MODELS[name] for name in args.models):
            contestants = list(field(equations, setting))
            check_equal(equations, contestants)
            for size in args.batches:
                lanes = [Lane(contestant, equations.order[: args.pool], size) for contestant in contestants]
                for mode in args.modes:
                    for threads in args.threads:
                        torch.set_num_threads(threads)
                        where = {"data": equations.name, "cell": setting.cell, "n": setting.hidden, "p": setting.stack}
                        where |= {"batch": size, "mode": mode, "threads": threads}
                        rows = [where | row for row in race(lanes, mode, args.rounds, args.seconds)]
                        print(f"\n{equations.name}, {setting}, batch {size}, {mode}, {cores(threads)}")
                        show(rows)
                        found += rows
    return found


def show(rows: list[dict[str, Any]]) -> None:
    print(f"  {'':30} {'nodes/s':>10} {'lowest':>10} {'highest':>10} {'ours is':>8} times as fast")
    for row in rows:
        rates = "".join(f" {row[key]:10,.0f}" for key in ("nodes_per_second", "lowest", "highest"))
        print(f"  {row['contestant']:30}{rates} {row['ours_to_it']:8.2f}")


def goals(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the goals for training with the ratio reached in every race that they apply to."""
    races: dict[tuple[Any, ...], dict[str, float]] = {}
    for row in rows:
        if row["mode"] == "training":
            race_ = races.setdefault(tuple(row[key] for key in ("data", "cell", "n", "batch", "threads")), {})
            race_[row["contestant"]] = row["ours_to_it"]
    found = []
    for (data, cell, n, batch, threads), ratio in races.items():
        small, is_smu = batch == 32, cell == "tree-smu"
        asked = [(name, goal) for (at, goals_) in GOALS.items() if at == (cell, n, batch) for name, goal in goals_.items()]
        asked += [(ByHand.name, 2)] if n == 100 else []
        asked += [(WithHiddenLayer.name, 2)]  # the other way round: it may take at most twice the time
        asked += [(name, 4) for name in ratio if is_smu and small and n == 50 and name == "(e) Transformer, prefix"]
        asked = [(name, goal) for name, goal in asked if name in ratio]
        where = f"{data}, {cell} n={n}, batch {batch}, {cores(threads)}"
        found += [{"race": where, "against": name, "goal": goal, "reached": ratio[name]} for name, goal in asked]
    return found


def show_goals(found: list[dict[str, Any]]) -> None:
    print(f"\ngoals of training\n  {'race':44} {'against':30} {'goal':>5} {'reached':>8}")
    for goal in found:
        ahead = goal["reached"] - goal["goal"]
        is_reached = ahead <= 0 if goal["against"] == WithHiddenLayer.name else ahead >= 0
        verdict = "" if is_reached else "  missed"
        print(f"  {goal['race']:44} {goal['against']:30} {goal['goal']:5} {goal['reached']:8.2f}{verdict}")


def arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = Path(tempfile.gettempdir()) / "treesmu-race"
    parser.add_argument("--corpus", type=Path, default=folder, help="a corpus folder; made if it does not exist (%(default)s)")
    parser.add_argument("--reference", type=Path, default=REFERENCE, help="the folder of the authors' files (%(default)s)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--data", nargs="+", choices=["generated", "blanks"], default=["generated", "blanks"])
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--batches", type=int, nargs="+", default=[32, 256])
    parser.add_argument("--modes", nargs="+", choices=["training", "inference"], default=["training", "inference"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each turn (%(default)s)")
    parser.add_argument("--pool", type=int, default=4096, help="equations that batches are made of (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="one core, n=50, training, generated equations")
    parser.add_argument("--curve", action="store_true", help="instead of the race: cost up to 1M nodes in one forest")
    parser.add_argument("--memory", action="store_true", help="instead of the race: memory over 1,000 steps at batch 256")
    parser.add_argument("--json", type=Path, help="also write all results to this file")
    if parser.parse_args().quick:  # other defaults; options that are given override them
        parser.set_defaults(data=["generated"], models=["smu50", "lstm50"], modes=["training"])
        parser.set_defaults(rounds=3, seconds=0.2, pool=1024)
    return parser.parse_args()


def main() -> None:
    args = arguments()
    keep_freed_memory()  # for all contestants, as in training
    warnings.filterwarnings("ignore", message=".*nested tensor.*")
    load = os.getloadavg()[0]
    if load > 0.7:
        print(f"the machine is busy (load {load:.1f}): ratios are inaccurate, and meaningless on more than one core")
    machine = {"torch": torch.__version__, "python": platform.python_version(), "cores": os.cpu_count(), "load": load}
    found: dict[str, Any] = {"machine": machine, "command": sys.argv[1:]}
    settings = [MODELS[name] for name in args.models]
    if args.curve:
        found["curve"] = curve(args.corpus, settings, POINTS[:5] if args.quick else POINTS, args.threads[0])
    if args.memory:
        found["memory"] = memory(args.corpus, settings, 256, 200 if args.quick else 1000, args.threads[0])
    if not (args.curve or args.memory):
        found["races"] = all_races(args)
        found["goals"] = goals(found["races"])
        show_goals(found["goals"])
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
