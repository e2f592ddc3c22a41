"""Completion: filled equations per second, by paths and otherwise.   Run: python benchmarks/completion.py  (or with --quick)

All candidates are put into the blanks of the authors' files in ../shared/reference (835 blanks, 1,470 candidates) or, if these
are absent, of a generated corpus (made by `treesmu generate` if needed). Treesmu computes only the path from each blank to the
root (models/completion/path.py). It is compared with
  (a) one tree at a time, as in the original code; Tree-LSTM also with the authors' separate maps     contest/one_by_one.py
  (b) complete filled equations in batches, every node of every equation computed
  (c) complete filled equations in batches, identical sub-trees of a batch computed once
One core, n = 50, float32, the same weights for all contestants, which must give the same logits before anything is timed. In
each round all take turns with the same blanks: treesmu, (b) and (c) with all fillers, (a) with a few of them. What is done once
per model (states of candidates) is not timed, nor is the planning of the filled equations for (b) and (c). Of the authors'
1,470 candidates 1,216 are distinct trees: treesmu and (c) compute them once, (a) and (b) as often as they occur. Rates are
medians over rounds, ratios medians of the ratios within a round.

Then all blanks times all candidates, by paths: with the authors' released weights, or with random ones if these are absent.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from contest.equations import REFERENCE, SEED, Equations, generated
from contest.one_by_one import OneByOne
from contest.ours import SETTINGS, Setting
from treesmu.data import Blanks, Candidates
from treesmu.expr import Expr
from treesmu.models import build
from treesmu.models.completion.scoring import PathScorer
from treesmu.models.model import Model
from treesmu.models.released_weights import import_weights

AT_ONCE = 4  # blanks per round
ONE_BY_ONE = 8  # filled equations per blank in a turn of (a)
BATCH = 512  # rows per batch of (b) and (c)
GOALS = {"(a)": 250, "(b)": 6}


def data(corpus: Path) -> tuple[Blanks, Candidates]:
    if (REFERENCE / "candidate_classes.json").exists():
        return Blanks.read(REFERENCE), Candidates.read(REFERENCE / "candidate_classes.json")
    print("the authors' files are absent (../shared/reference): using the blanks of a generated corpus")
    generated(corpus)
    return Blanks.read(corpus), Candidates.read(corpus)


class Race:
    """One model and several ways to score the fillers of blanks."""

    def __init__(self, blanks: Blanks, candidates: Candidates, setting: Setting) -> None:
        self.blanks, self.candidates, self.setting = blanks, candidates, setting
        self.fillers = candidates.fillers
        texts = [" ".join(e.prefix()) for e in blanks.equations]
        texts += [f"Equality {' '.join(e.prefix())} x" for e in set(self.fillers)]
        equations = Equations("blanks", texts, np.zeros(len(texts), np.int8))
        self.model = build(setting.cell, equations.vocab, setting.arguments).eval()
        self.scorer = PathScorer(self.model, self.fillers)
        self.questions = blanks.questions()
        self.recursive = {"(a) one tree at a time": OneByOne(equations, setting)}
        if not setting.stack:
            self.recursive["(a) one tree at a time, parts"] = OneByOne(equations, setting, in_parts=True)
        for contestant in self.recursive.values():
            contestant.model.copy_from(self.model)

    def filled(self, row: int) -> list[Expr]:
        e, place = self.blanks.equations[row], self.blanks.paths[row]
        return [e.replace(place, filler) for filler in self.fillers]

    def plan(self, filled: list[Expr]) -> Any:
        return self.model.encoder.plan([" ".join(e.prefix()) for e in filled])

    def whole(self, plans: list[Any], share: bool) -> NDArray[np.float32]:
        with self.model.evaluation_mode():
            rows = [(plan, part) for plan in plans for part in np.split(np.arange(len(plan)), range(BATCH, len(plan), BATCH))]
            return np.concatenate([self.model(plan.batch(part, share)).numpy() for plan, part in rows])

    def turns(self, rows: list[int]) -> Iterator[tuple[str, int, Callable[[], Any]]]:
        """Yield the contestant, the number of filled equations and the function to time. rows: the blanks of this round."""
        questions, filled = [self.questions[row] for row in rows], [self.filled(row) for row in rows]
        plans, every = [self.plan(own) for own in filled], sum(map(len, filled))
        chosen = np.random.default_rng(rows[0]).permutation(len(self.fillers))[:ONE_BY_ONE]
        some = [own[i] for own in filled for i in chosen]
        yield "ours, paths only", every, lambda: list(self.scorer.scores(questions))
        for name, contestant in self.recursive.items():
            yield name, len(some), lambda contestant=contestant: contestant.infer(some)
        yield "(b) complete, all nodes", every, lambda: self.whole(plans, share=False)
        yield "(c) complete, equal nodes once", every, lambda: self.whole(plans, share=True)

    def check(self) -> None:
        """Exit unless the same weights give the same logits."""
        filled, (expected,) = self.filled(0), self.scorer.scores(self.questions[:1])
        found = {f"whole, share={share}": self.whole([self.plan(filled)], share) for share in (False, True)}
        found |= {name: contestant.infer(filled[:100]) for name, contestant in self.recursive.items()}
        for name, logits in found.items():
            error = float(np.abs(logits - expected[: len(logits)]).max())
            if not error < 1e-4:
                raise SystemExit(f"completion.py: {name} differs from treesmu by {error:.2g}; nothing is timed")

    def run(self, rounds: int) -> list[dict[str, Any]]:
        rates: dict[str, list[float]] = {}
        order = np.random.default_rng(SEED).permutation(len(self.blanks)).tolist()
        for turn in range(-1, rounds):  # the first is a warm-up
            for name, count, work in self.turns((order * 2)[(turn + 1) * AT_ONCE :][:AT_ONCE]):
                start = time.perf_counter()
                work()
                if turn >= 0:
                    rates.setdefault(name, []).append(count / (time.perf_counter() - start))
        ours = rates["ours, paths only"]
        return [self._row(name, own, ours) for name, own in rates.items()]

    def _row(self, name: str, own: list[float], ours: list[float]) -> dict[str, Any]:
        ratio = statistics.median(a / b for a, b in zip(ours, own, strict=True))
        goal = None if name.startswith("ours") else GOALS.get(name[:3])
        return {
            "model": str(self.setting),
            "who": name,
            "per_second": statistics.median(own),
            "ours_to_it": ratio,
            "goal": goal,
        }


def show(rows: list[dict[str, Any]]) -> None:
    print(f"\n{rows[0]['model']}, one core\n  {'':32} {'filled equations/s':>18} {'ours is':>9} times as fast")
    for row in rows:
        goal = "" if row["goal"] is None else f"   goal {row['goal']}" + (" missed" if row["ours_to_it"] < row["goal"] else "")
        print(f"  {row['who']:32} {row['per_second']:18,.0f} {row['ours_to_it']:9.1f}{goal}")


def models(blanks: Blanks, candidates: Candidates) -> Iterator[tuple[str, Model]]:
    """Yield the authors' released models, or models with random weights."""
    released = sorted(REFERENCE.glob("*-model-*.checkpoint"))
    for file in released:
        model, found = import_weights(file)
        yield f"{found.model} n={found.hidden} (released)", model
    for setting in SETTINGS[::2] if not released else ():
        yield str(setting), Race(blanks, candidates, setting).model


def all_blanks(blanks: Blanks, candidates: Candidates, every: int) -> list[dict[str, Any]]:
    questions = blanks.questions()[::every]
    part = "" if every == 1 else f" (every {every}th is timed, and the time multiplied)"
    print(f"\nall {len(blanks):,} blanks x {len(candidates):,} candidates, one core{part}")
    found = []
    for name, model in models(blanks, candidates):
        for dtype in (torch.float32, torch.float64):
            scorer = PathScorer(model.to(dtype), candidates.fillers)
            list(scorer.scores(questions[:2]))
            start = time.perf_counter()
            for _ in scorer.scores(questions):
                pass
            seconds = (time.perf_counter() - start) * len(blanks) / len(questions)
            found.append({"model": name, "dtype": str(dtype).removeprefix("torch."), "seconds": seconds})
            print(f"  {name:32} {found[-1]['dtype']}  {seconds:6.1f} s")
    return found


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = Path(tempfile.gettempdir()) / "treesmu-race"
    parser.add_argument("--corpus", type=Path, default=folder, help="if the authors' files are absent (%(default)s)")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--quick", action="store_true", help="5 rounds; every 10th of all blanks")
    parser.add_argument("--json", type=Path, help="also write all results to this file")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if (load := os.getloadavg()[0]) > 0.7:
        print(f"the machine is busy (load {load:.1f}): ratios are inaccurate")
    blanks, candidates = data(args.corpus)
    length, size = np.mean([len(place) - 1 for place in blanks.paths]), np.mean([e.size for e in blanks.equations])
    print(f"{len(blanks):,} blanks, {size:.1f} nodes each, {length:.1f} of them on the path from the blank to the root")
    races = []
    for setting in SETTINGS[::2]:  # n = 50
        race = Race(blanks, candidates, setting)
        race.check()
        races += race.run(5 if args.quick else args.rounds)
        show([row for row in races if row["model"] == str(setting)])
    whole = all_blanks(blanks, candidates, 10 if args.quick else 1)
    if args.json:
        args.json.write_text(json.dumps({"load": load, "races": races, "all": whole}, indent=1))


if __name__ == "__main__":
    main()
