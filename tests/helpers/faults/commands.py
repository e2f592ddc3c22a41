"""Commands: run commands of treesmu with faults, through the server of server.py."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from engine_jobs import wait_until

from .counting import Fault
from .small_commands import NAMES, REPORT, REPRODUCE, words
from .whole_files import outcome

KILLED = (-9, -14)  # by SIGKILL, or by the kernel's timer, which nobody handles either


@dataclass(frozen=True)
class Ended:
    """A command that has ended; code: negative for a signal. events, sent: None if it was killed."""

    code: int
    stdout: str
    stderr: str
    events: int
    sent: int
    seconds: float  # of processor time

    @property
    def is_killed(self) -> bool:
        """Whether it was killed without a chance to clean up."""
        return self.code in KILLED


class Commands:
    """A server and the folder in which its commands run; their paths may be relative. A context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.seconds, self.count = 0.0, 0  # of processor time of all commands, and how many there were
        self.made: dict[str, tuple[Ended, dict[str, Any]]] = {}  # by command
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self.server = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("server.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | threads | {"MPLBACKEND": "agg"},
        )  # fmt: skip

    def __enter__(self) -> Commands:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.server.kill()
        self.server.communicate()

    def run(self, arguments: Sequence[object], fault: Fault | None = None) -> Ended:
        """Run ``treesmu ARGUMENTS``, with a fault."""
        return self._start(arguments, fault).wait()

    def whole(self, command: str) -> tuple[Ended, dict[str, Any]]:
        """Run a command without a fault, once for all tests; return how it ended and what it has written."""
        if command not in self.made:
            out = f"whole-{NAMES[command]}"
            self.prepare(command, out)
            ended = self.run(words(command, out))
            assert ended.code == 0, ended.stderr
            self.made[command] = ended, outcome(self.folder / out)
        return self.made[command]

    def prepare(self, command: str, out: str) -> None:
        """Make the folder that a report is to be written of; other commands make their folders themselves."""
        if command == REPORT:
            self.whole(REPRODUCE)
            written = shutil.ignore_patterns("report.html", "record.tar.xz", "tables", "figures")
            shutil.copytree(self.folder / f"whole-{NAMES[REPRODUCE]}", self.folder / out, ignore=written)

    @contextmanager
    def started(self, arguments: Sequence[object], fault: Fault | None = None) -> Iterator[Started]:
        """Start ``treesmu ARGUMENTS`` with a fault, beside which others can run; what is left of it is killed in the end."""
        started = self._start(arguments, fault)
        try:
            yield started
        finally:
            started.kill()

    def _start(self, arguments: Sequence[object], fault: Fault | None) -> Started:
        self.count += 1
        streams = {name: self.folder / f".{name}-{self.count}" for name in ("stdout", "stderr")}
        request: dict[str, Any] = {
            "do": "start",
            "arguments": [str(argument) for argument in arguments],
            "folder": str(self.folder),
            "environment": {"TREESMU_CACHE": str(self.folder / "cache"), "COLUMNS": "200"},
            "fault": asdict(fault) if fault else None,
            "stdin": os.devnull,
            **{name: str(path) for name, path in streams.items()},
        }
        return Started(self, self.ask(request)["pid"], streams)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request to the server, and return its answer."""
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        print(json.dumps(request), file=self.server.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.server.stdout.readline())
        return answer


class Started:
    """A command that runs."""

    def __init__(self, commands: Commands, pid: int, streams: dict[str, Path]) -> None:
        self.commands, self.pid, self.streams = commands, pid, streams
        self.ended: Ended | None = None

    def wait(self) -> Ended:
        """Wait until it has ended."""
        if self.ended is None:
            answer = self.commands.ask({"do": "end", "pid": self.pid})
            texts = {name: path.read_text() for name, path in self.streams.items()}
            for path in self.streams.values():
                path.unlink()
            self.commands.seconds += answer["seconds"]
            self.ended = Ended(**texts, **answer)
        return self.ended

    def wait_until_stopped(self) -> None:
        """Wait until it has stopped itself (SIGSTOP), which a fault can make it do."""
        wait_until(lambda: Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] in "TZ")

    def go_on(self) -> None:
        """Let it continue after it has stopped itself."""
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        if self.ended is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
