"""The explorer under load: errors, response times and memory.   Run: python benchmarks/load.py  [--clients 8] [--seconds 30]

Starts ``treesmu serve`` at a free port. Clients on the same machine ask mixed questions about generated equations, one after
the other and without pauses (or with --pause SECONDS between them); one in eight requests is malformed. After the given time,
at most 600 seconds, it stops by itself. Memory, open files and threads are those of the service and of all its processes, as
Linux has them in /proc; pages that processes share are counted once (PSS). Exit code 1 if an answer had a status of 500 or
more, if 99% of the answers took longer than a second, or if the memory grew in the second half of the time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from contest.processes import Reading, processor_time, read
from treesmu.expr import BLANK, Expr, leaf
from treesmu.generate.axioms import FAMILIES
from treesmu.generate.chains.shard import ShardSettings, grow_chains

SHARES = {  # how often each address is asked
    "read": 30, "verify": 20, "trace": 12, "neighbours": 8, "explain": 6, "complete": 4, "place": 3,
    "models": 3, "map": 3, "page": 4, "malformed": 14,
}  # fmt: skip
MALFORMED: list[tuple[str, bytes]] = [
    ("/api/read", b'{"text": "sin(x + 1 = 2"}'),
    ("/api/verify", b'{"text": "x"}'),
    ("/api/verify", b'{"text": 5}'),
    ("/api/verify", b"{"),
    ("/api/trace", b'{"text": "x = x", "model": "../../etc/passwd"}'),
    ("/api/complete", b'{"text": "x = x"}'),
    ("/api/neighbours", b'{"text": "x", "path": [7, 7, 7]}'),
    ("/api/read", b'{"text": "' + b"x" * 40_000 + b'"}'),
    ("/api/read", b'{"text": "' + b"(" * 1_999 + b'"}'),
    ("/api/nothing", b"{}"),
    ("/static/../app.py", b"{}"),
]
GROWTH = 1.1  # of the memory between half of the time and the end
LONGEST = 600.0  # seconds
EVERY = 1.0  # seconds between two readings of the memory


@dataclass
class Record:
    """What the clients have seen."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[str] = field(default_factory=list)
    questions: Counter[tuple[str, bytes | None]] = field(default_factory=Counter)  # how often the same was asked

    def add(self, name: str, seconds: float, status: int) -> None:
        self.times[name].append(seconds)
        self.statuses[name][status] += 1


@dataclass
class Usage:
    """Readings once a second, and the processor time of the service and its processes, in seconds."""

    readings: list[Reading] = field(default_factory=list)
    processor: float = 0.0


def main() -> None:
    """Run the load and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=30.0, help=f"at most {LONGEST:g}")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds that a client waits after each answer")
    options = parser.parse_args()
    if not 0 < options.seconds <= LONGEST or options.clients < 1 or options.pause < 0:
        parser.error(f"--seconds must be above 0 and at most {LONGEST:g}, --clients at least 1, and --pause not below 0")
    equations = _equations(random.Random(1))
    pause = f", pauses of {options.pause:g} s" if options.pause else ""
    print(f"{options.clients} clients, {options.seconds:g} s{pause}, {len(equations)} equations, seed 1")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} before")
    with _service() as (process, address):
        print(f"before the first request:  {read(process.pid)}")
        _warm_up(address, equations)
        record, usage = _run(process.pid, address, equations, options)
    sys.exit(_report(record, usage, options.seconds))


def _equations(rng: random.Random) -> list[Expr]:
    """Return equations of depth 2 to 7, correct and incorrect ones."""
    grown = grow_chains(ShardSettings(FAMILIES), "load", 100, 7)
    return rng.sample([e for e, *_ in grown if e.depth >= 2 and e.size <= 60], 400)


@contextmanager
def _service() -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "treesmu", "serve", "--port", "0"]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            raise SystemExit("the service did not start")
        print(f"started in {time.perf_counter() - start:.1f} s")
        yield process, found.group()
    finally:
        process.terminate()
        process.wait(30)


def _warm_up(address: str, equations: list[Expr]) -> None:
    """Ask each question once, and wait for the models and the map."""
    client, start = _Client(address, equations, 0, Record()), time.perf_counter()
    client.ask("models")
    print(f"models ready after {time.perf_counter() - start:.1f} s")
    while b'"computing"' in client.ask("map"):
        time.sleep(0.5)
    for name in SHARES:
        client.ask(name)


def _run(pid: int, address: str, equations: list[Expr], options: argparse.Namespace) -> tuple[Record, Usage]:
    """Let the clients ask for the time, and read what the service holds every second."""
    record, usage, before = Record(), Usage(), processor_time(pid)
    end = time.perf_counter() + options.seconds
    arguments = (end, options.pause, address, equations, record)
    threads = [threading.Thread(target=_ask_until, args=(*arguments, i + 1)) for i in range(options.clients)]
    for thread in threads:
        thread.start()
    while time.perf_counter() < end:
        usage.readings.append(read(pid))
        time.sleep(EVERY)
    for thread in threads:
        thread.join()
    usage.processor = processor_time(pid) - before
    return record, usage


def _ask_until(end: float, pause: float, address: str, equations: list[Expr], record: Record, seed: int) -> None:
    client = _Client(address, equations, seed, record)
    names, weights = list(SHARES), list(SHARES.values())
    while time.perf_counter() < end:
        client.ask(client.rng.choices(names, weights)[0])
        time.sleep(pause)


class _Client:
    """One client with one connection, which is opened again if the service closes it."""

    def __init__(self, address: str, equations: list[Expr], seed: int, record: Record) -> None:
        self.host, self.equations, self.record = urlsplit(address).netloc, equations, record
        self.rng = random.Random(seed)
        self.connection = http.client.HTTPConnection(self.host, timeout=60)

    def ask(self, name: str) -> bytes:
        """Send one request and record how it was answered."""
        method, path, body = self._request(name)
        self.record.questions[path, body] += 1
        start = time.perf_counter()
        try:
            self.connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.record.faults.append(f"{path}: {error!r}")
            self.connection.close()
            return b""
        self.record.add(name, time.perf_counter() - start, answer.status)
        if answer.status >= 500:
            self.record.faults.append(f"{answer.status} {path} {body!r}: {text[:200]!r}")
        return text

    def _request(self, name: str) -> tuple[str, str, bytes | None]:
        if name in ("models", "map", "page"):
            return "GET", {"models": "/api/models", "map": "/api/map", "page": "/"}[name], None
        if name == "malformed":
            path, body = self.rng.choice(MALFORMED)
            return "POST", path, body
        e = self.rng.choice(self.equations)
        fields: dict[str, Any] = {"text": str(e)}
        if name == "neighbours":
            fields["path"] = list(self.rng.choice([path for path, _ in e.paths() if path]))
        if name == "complete":
            fields["text"] = str(_with_blank(e, self.rng))
        path = "/api/map/place" if name == "place" else f"/api/{name}"
        return "POST", path, json.dumps(fields).encode()


def _with_blank(e: Expr, rng: random.Random) -> Expr:
    return e.replace(rng.choice([path for path, part in e.paths() if path and part.depth <= 1]), leaf(BLANK))


def _report(record: Record, usage: Usage, seconds: float) -> int:
    """Print the figures; return the exit code."""
    every = sorted(t for times in record.times.values() for t in times)
    readings = {"at the start": usage.readings[0], "at half time": usage.readings[len(usage.readings) // 2]}
    readings["at the end"] = usage.readings[-1]
    record.statuses["all"] = sum(record.statuses.values(), Counter())
    print(f"\n{'':12} {'requests':>8} {'median':>9} {'99%':>9} {'longest':>9}   statuses")
    for name, times in [*sorted(record.times.items()), ("all", every)]:
        ordered, said = sorted(times), ", ".join(f"{status}: {n}" for status, n in sorted(record.statuses[name].items()))
        print(f"{name:12} {len(ordered):8,} {_ms(ordered, 0.5)} {_ms(ordered, 0.99)} {_ms(ordered, 1.0)}   {said}")
    posts = [n for (_, body), n in record.questions.items() if body is not None]
    print(f"\n{len(every) / seconds:.0f} requests per second; {1 - len(posts) / sum(posts):.0%} were asked before")
    print(f"processor time of the service: {usage.processor:.0f} s, {1000 * usage.processor / len(every):.1f} ms per request")
    for when, reading in readings.items():
        print(f"{when}: {reading}")
    print(f"load average {os.getloadavg()[0]:.1f} after")
    for fault in record.faults[:10]:
        print("fault:", fault)
    p99 = every[min(len(every) - 1, int(0.99 * len(every)))]
    checks = {
        "no fault and no status of 500 or more": not record.faults,
        "99% within a second": p99 < 1,
        "memory level": usage.readings[-1].shared_once <= GROWTH * readings["at half time"].shared_once,
    }
    for name, is_true in checks.items():
        print(f"{'yes' if is_true else 'NO ':4} {name}")
    return 0 if all(checks.values()) else 1


def _ms(ordered: list[float], share: float) -> str:
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:6.0f} ms"


if __name__ == "__main__":
    main()
