"""What a process and its descendants hold and use, as Linux has it in /proc."""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Reading:
    """What the service and its processes hold. Memory in bytes: resident, and with shared pages counted once."""

    resident: int
    shared_once: int
    files: int
    threads: int
    processes: int

    def __str__(self) -> str:
        memory = f"{self.shared_once / 2**20:7,.0f} MB ({self.resident / 2**20:,.0f} MB resident)"
        return f"{memory}, {self.files} open files, {self.threads} threads, {self.processes} processes"


def read(pid: int) -> Reading:
    """Return what a process and all its descendants hold; those that end meanwhile are left out."""
    total = Counter[str]()
    for one in _family(pid):
        with suppress(OSError):
            rollup = (PROC / one / "smaps_rollup").read_text()
            found = {name: int(kb) for name, kb in re.findall(r"^(Rss|Pss): +(\d+) kB$", rollup, re.MULTILINE)}
            found |= {what: len(list((PROC / one / what).iterdir())) for what in ("fd", "task")}
            total.update(found | {"processes": 1})
    return Reading(1024 * total["Rss"], 1024 * total["Pss"], total["fd"], total["task"], total["processes"])


def processor_time(pid: int) -> float:
    """Return the processor time of a process and all its descendants, in seconds, also of those that have ended."""
    ticks = 0
    for one in _family(pid):
        with suppress(OSError):
            ticks += sum(map(int, _status(one)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[str]:
    """Return a process and all its descendants."""
    parents = {}
    for path in PROC.glob("[0-9]*"):
        with suppress(OSError):
            parents[path.name] = _status(path.name)[1]
    found = [str(pid)]
    for one in found:  # which grows while it is read
        found += [child for child, parent in parents.items() if parent == one]
    return found


def _status(pid: str) -> list[str]:
    """Return the fields of /proc/PID/stat behind the name of the program: state, parent, ..."""
    return (PROC / pid / "stat").read_text().rpartition(")")[2].split()
