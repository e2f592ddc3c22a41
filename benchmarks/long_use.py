"""Memory, file handles and threads in long use.   Run: python benchmarks/long_use.py verify|train|sweep|page  [--quick]

    verify  --count 100000     verifications by the shipped model and by the numeric check, in one process
    train   --minutes 60       one training run
    sweep   --trials 200       a sweep of tiny models
    page    --minutes 10       the explorer under 8 clients (benchmarks/load.py)

Each part prints what a process and its children use at regular moments. The first third is warm-up: caches fill, libraries are
loaded. After it, a line is fitted to each number, and the number is called level if the line rises by less than its
tolerance until the end: 5% of the memory of their own (or 16 MiB, if more), 2 file handles, 2 threads. Exit code 1
if one is not, or if load.py finds a fault or slow answers, which it prints.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from statistics import fmean

MIB = 2**20
ROOT = Path(__file__).parent.parent
WARM_UP = 1 / 3  # of the samples
TOLERANCES = {"handles": 2.0, "threads": 2.0}  # by which the fitted line may rise; memory: see allowed_rise
MEMORY_SHARE, MEMORY_FLOOR = 0.05, 16.0  # of the mean; MiB


@dataclass(frozen=True)
class Sample:
    """What a process and its children use at a moment. rss, own: MiB; own: what they allocated, without files in memory."""

    done: float  # equations, trials or seconds
    rss: float
    own: float
    handles: int
    threads: int
    processes: int


def take_sample(pid: int, done: float) -> Sample:
    """Return what a process and all its descendants use now; processes that end meanwhile count as nothing."""
    found = [use for one in (pid, *descendants(pid)) if (use := _use_of(one))]
    rss, own, handles, threads = (sum(column) for column in zip(*found, strict=True)) if found else (0, 0, 0, 0)
    return Sample(done, rss / MIB, own / MIB, int(handles), int(threads), len(found))


def descendants(pid: int) -> Iterator[int]:
    """Yield the children of a process, their children, and so on."""
    try:
        text = " ".join(file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:
        return
    for child in map(int, text.split()):
        yield child
        yield from descendants(child)


def _use_of(pid: int) -> tuple[int, int, int, int] | None:
    """Return RSS and the memory that is no file, in bytes, open file handles and threads of a process; None if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        memory = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.endswith(" kB")}
        return memory["Rss"], memory["Anonymous"], len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))
    except (OSError, KeyError):
        return None


# -- whether a number is level ---------------------------------------------------------------------------------------------


def rise(x: Sequence[float], y: Sequence[float]) -> float:
    """Return by how much a line fitted by least squares rises from the first x to the last."""
    mean_x, mean_y = fmean(x), fmean(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / spread if spread else 0.0
    return slope * (x[-1] - x[0])


def allowed_rise(name: str, values: Sequence[float]) -> float:
    """Return the tolerance of a number."""
    return TOLERANCES.get(name, max(MEMORY_FLOOR, MEMORY_SHARE * fmean(values)))


def judge(samples: Sequence[Sample]) -> dict[str, tuple[float, float]]:
    """Return the rise and the allowed rise of each number after the warm-up."""
    steady = samples[int(len(samples) * WARM_UP) :]
    x = [one.done for one in steady]
    found = {name: [float(getattr(one, name)) for one in steady] for name in ("own", "handles", "threads")}
    return {name: (rise(x, values), allowed_rise(name, values)) for name, values in found.items()}


def report(samples: Sequence[Sample]) -> bool:
    """Print whether each number stays level, and return whether all do."""
    if len(samples) < 6:
        print("too few samples to judge")
        return True
    outcomes = judge(samples)
    for name, (found, allowed) in outcomes.items():
        unit = " MiB" if name == "own" else ""
        verdict = "level" if found <= allowed else "RISES"
        print(f"{name:8} {verdict}: {found:+.1f}{unit} after the warm-up, allowed {allowed:+.1f}{unit}")
    return all(found <= allowed for found, allowed in outcomes.values())


def show(sample: Sample) -> Sample:
    """Print a sample as a line of the table."""
    done, *others = astuple(sample)
    print("".join(f"{value:12,.0f}" for value in (done, *others)), flush=True)
    return sample


def show_heading(unit: str) -> None:
    names = [field.name for field in fields(Sample)][1:]
    print("".join(f"{name:>12}" for name in (unit, *names)))


# -- parts -----------------------------------------------------------------------------------------------------------------


Used = tuple[list[Sample], bool]  # what a part uses, and whether it did its work


def verify(count: int, samples: int) -> Used:
    """Verify this many equations in this process, by the model and by the numeric check."""
    import treesmu
    from treesmu.expr import check_many
    from treesmu.generate.axioms import FAMILIES
    from treesmu.generate.chains.shard import ShardSettings, grow_chains

    grown = [str(e) for e, *_ in grow_chains(ShardSettings(FAMILIES), "long use", 40, 5)]
    model, found, batch, done = treesmu.load(), list[Sample](), 100, 0
    show_heading("equations")
    while done < count:  # every equation is new: a decimal is added to both sides of one that was grown
        both = [(grown[k % len(grown)].split(" = "), k) for k in range(done, min(done + batch, count))]
        equations = [treesmu.parse(f"({left}) + {k}.5 = ({right}) + {k}.5") for (left, right), k in both]
        model.verify(equations)
        check_many(equations)
        before, done = done, done + len(equations)
        if done * samples // count > before * samples // count:
            found.append(show(take_sample(os.getpid(), done)))
    return found, True


def watch(command: list[str], seconds: float | None, every: float, cwd: Path, is_shown: bool = False) -> Used:
    """Run a command, for this long or until it ends; is_shown: with what it prints."""
    show_heading("seconds")
    started, found = time.monotonic(), []
    output = None if is_shown else subprocess.DEVNULL
    with subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and (seconds is None or time.monotonic() - started < seconds):
            time.sleep(every)
            if process.poll() is None:
                found.append(show(take_sample(process.pid, time.monotonic() - started)))
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)  # a shell lets what it starts in the background ignore Ctrl-C
        _, errors = process.communicate()
    is_done = process.returncode in (0, 143)  # 143: ended by us
    if not is_done:
        print(f"{' '.join(command)} ended with {process.returncode}:\n{errors[-2000:]}")
    return found, is_done


def treesmu_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "treesmu", *arguments]


def make_corpus(folder: Path) -> Path:
    """Write a small corpus."""
    sizes = "--train-size 4000 --validation-size 300 --depths 1-4 --test-depths 1-5 --per-depth 50 --seed 1".split()
    subprocess.run(treesmu_command("generate", str(folder / "corpus"), *sizes), check=True, stdout=subprocess.DEVNULL)
    return folder / "corpus"


def train(minutes: float, every: float) -> Used:
    with tempfile.TemporaryDirectory() as folder:
        corpus = make_corpus(Path(folder))
        arguments = ["train", str(corpus), "--recipe", "treesmu", "--epochs", "1000000", "--out", "run"]
        return watch(treesmu_command(*arguments), 60 * minutes, every, Path(folder))


def sweep(trials: int, every: float) -> Used:
    with tempfile.TemporaryDirectory() as folder:
        corpus = make_corpus(Path(folder))
        options = f"--model tree-lstm --recipe paper --epochs 1 --rows 200 --sampler tpe --trials {trials} --jobs 1 --out sweep"
        over = ["--over", "cell.hidden=4..16", "--over", "learning_rate=0.0001..0.1"]
        return watch(treesmu_command("sweep", str(corpus), *options.split(), *over), None, every, Path(folder))


def page(minutes: float, every: float) -> Used:
    command = [sys.executable, str(ROOT / "benchmarks" / "load.py"), "--clients", "8", "--seconds", str(60 * minutes)]
    return watch(command, None, every, ROOT, is_shown=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["verify", "train", "sweep", "page"])
    parser.add_argument("--count", type=int, default=100_000, help="equations to verify (%(default)s)")
    parser.add_argument("--minutes", type=float, help="of training (60) or of clients (10)")
    parser.add_argument("--trials", type=int, default=200, help="of the sweep (%(default)s)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two samples (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="2,000 equations, one minute, or 5 trials")
    given = parser.parse_args()
    if given.quick:
        given.count, given.minutes, given.trials, given.every = 2_000, 1.0, 5, 3.0
    parts: dict[str, Callable[[], Used]] = {
        "verify": lambda: verify(given.count, 30),
        "train": lambda: train(given.minutes or 60, given.every),
        "sweep": lambda: sweep(given.trials, given.every),
        "page": lambda: page(given.minutes or 10, given.every),
    }
    samples, is_done = parts[given.part]()
    sys.exit(0 if report(samples) and is_done else 1)


if __name__ == "__main__":
    main()
