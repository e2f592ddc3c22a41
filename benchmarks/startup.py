"""Processor time (user and system) until quick commands have ended: the median of nine runs, next to its limit.

python benchmarks/startup.py [RUNS]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

LIMITS = {  # seconds of processor time on an idle core
    ("-m", "treesmu", "--help"): 0.5,
    ("-m", "treesmu", "verify", "--no-model", "sin(x)^2 + cos(x)^2 = 1"): 0.6,
    ("-c", "import treesmu"): 0.15,
}


def processor_time(arguments: tuple[str, ...]) -> float:
    """Return the seconds of processor time of one Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a table of all commands."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    python = statistics.median(processor_time(("-c", "")) for _ in range(runs))
    print(f"median of {runs} runs; Python alone {python:.3f} s\n\nseconds  limit  of the limit  command")
    for arguments, limit in LIMITS.items():
        processor_time(arguments)  # compiles modules, and fills the cache of files
        seconds = statistics.median(processor_time(arguments) for _ in range(runs))
        print(f"{seconds:7.3f}  {limit:5.2f}  {seconds / limit:12.0%}  python {' '.join(arguments)}")


if __name__ == "__main__":
    main()
