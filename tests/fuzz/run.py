"""Fuzz treesmu for as long as asked; what is found is kept as a file, and repeated by the tests.

    python tests/fuzz/run.py --seconds 600                          everything, with mutations of our own
    python tests/fuzz/run.py --seconds 600 --only parser            parser|readers|requests|check|passes; repeatable
    python tests/fuzz/run.py --seconds 600 --only readers --engine atheris   led by coverage; needs: pip install atheris

Inputs (parser, readers, requests) are mutations of valid ones; each must be accepted or refused with the documented error, in
--slow seconds of processor time. Parser, check and passes are also compared with an independent computation. An input
that breaks this is written to tests/fuzz/found/TARGET; tests/fuzz/test_found.py repeats it for ever. The exit code is 1 then.
The same --seed gives the same inputs. Seconds are those of the processor, except with atheris.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "helpers"), str(HERE.parents[1] / "src")]

FOUND = HERE / "found"
PARTS = ("parser", "readers", "requests", "check", "passes")
BATCH = 20  # inputs of one target in a row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--engine", choices=("own", "atheris"), default="own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slow", type=float, default=60, help="seconds of processor time that one input may take")
    parser.add_argument("--found", type=Path, default=FOUND, help="where inputs are kept that break something")
    parser.add_argument("--target", help=argparse.SUPPRESS)  # of the process that atheris controls
    args = parser.parse_args()
    only = args.only or list(PARTS)
    if args.target:
        run_atheris(args.target, args.seconds)
    elif args.engine == "atheris":
        sys.exit(start_atheris(only, args.seconds, args.found))
    else:
        sys.exit(Fuzzer(args.seed, args.slow, args.found).run(only, args.seconds))


class Fuzzer:
    """Mutations of our own: counts what was tried, and keeps what breaks something."""

    def __init__(self, seed: int, slow: float, found: Path) -> None:
        from fuzzing.differential import CASES
        from fuzzing.targets import GROUPS, TARGETS

        self.rng, self.slow, self.found = random.Random(seed), slow, found
        self.cases, self.groups, self.targets = CASES, GROUPS, TARGETS
        self.counts: Counter[tuple[str, str]] = Counter()

    def run(self, only: list[str], seconds: float) -> int:
        """Fuzz in turns until the time is over; return the exit code."""
        warnings.simplefilter("error")
        jobs = [(self.try_target, name) for part in only for name in self.groups.get(part, ())]
        jobs += [(self.try_case, part) for part in only if part in self.cases]
        turns = 0
        while time.process_time() < seconds:
            job, name = jobs[turns % len(jobs)]
            for _ in range(BATCH):
                job(name)
            turns += 1
            if turns % (10 * len(jobs)) == 0:
                self.print_counts()
        self.print_counts()
        return int(any(kind == "broken" for _, kind in self.counts))

    def try_target(self, name: str) -> None:
        from fuzzing.mutate import mutate
        from fuzzing.seeds import seeds

        valid = seeds(name)
        data = mutate(self.rng.choice(valid), self.rng, valid)
        self._count(name, lambda: self.targets[name](data), ("accepted", "refused"), data)

    def try_case(self, name: str) -> None:
        seed = f"{self.rng.random()}"
        self._count(f"{name} compared", lambda: self.cases[name](random.Random(seed)), ("compared", "no value"), seed.encode())

    def _count(self, name: str, run: object, kinds: tuple[str, str], data: bytes) -> None:
        began = time.process_time()
        try:
            outcome = kinds[not run()]  # type: ignore[operator]
            if time.process_time() - began > self.slow:
                raise TimeoutError(f"{time.process_time() - began:.0f} s of processor time")
        except Exception:
            outcome = "broken"
            self._keep(name, data, traceback.format_exc())
        self.counts[name, outcome] += 1

    def _keep(self, name: str, data: bytes, fault: str) -> None:
        folder = self.found / name.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / hashlib.sha256(data).hexdigest()[:12]
        file.write_bytes(data)
        print(f"BROKEN {name}: {file}\n{fault}", flush=True)

    def print_counts(self) -> None:
        names = dict.fromkeys(name for name, _ in self.counts)
        print(f"after {time.process_time():.0f} s of processor time", flush=True)
        for name in names:
            kinds = {kind: count for (one, kind), count in self.counts.items() if one == name}
            print(f"  {name:18} {sum(kinds.values()):>9,}   " + ", ".join(f"{n:,} {k}" for k, n in kinds.items()), flush=True)


# -- atheris ---------------------------------------------------------------------------------------------------------------


def start_atheris(only: list[str], seconds: float, found: Path) -> int:
    """Run a process for each target, one after the other: atheris never returns. Return the exit code."""
    from fuzzing.targets import GROUPS

    targets = [name for part in only for name in GROUPS.get(part, ())]
    code = 0
    for name in targets:
        command = [sys.executable, __file__, "--target", name, "--seconds", str(seconds / len(targets))]
        with tempfile.TemporaryDirectory(prefix="atheris") as folder:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
            crashes = [file for file in Path(folder).iterdir() if re.match("(crash|timeout|oom)-", file.name)]
            for file in crashes:
                (found / name).mkdir(parents=True, exist_ok=True)
                (found / name / file.name[-12:]).write_bytes(file.read_bytes())
        runs = re.search(r"Done (\d+) runs|stat::number_of_executed_units: (\d+)", done.stderr)
        print(f"  {name:18} {runs.group() if runs else 'no count'}, {len(crashes)} broken", flush=True)
        if crashes or done.returncode:
            code = 1
            print(done.stderr[-3000:], flush=True)
    return code


def run_atheris(name: str, seconds: float) -> None:
    """Fuzz one target; never returns."""
    import atheris

    with atheris.instrument_imports(include=["treesmu"]):
        from fuzzing.seeds import seeds
        from fuzzing.targets import TARGETS
    corpus = Path(tempfile.mkdtemp(prefix="atheris-corpus"))
    for number, data in enumerate(seeds(name)):
        (corpus / str(number)).write_bytes(data)
        with atheris.instrument_imports(include=["treesmu"]):
            TARGETS[name](data)  # loads what the readers import when they are called
    options = [
        f"-max_total_time={max(1, round(seconds))}",
        "-timeout=120",
        "-max_len=20000",
        "-print_final_stats=1",
        str(corpus),
    ]
    atheris.Setup([sys.argv[0], *options], lambda data: TARGETS[name](data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
