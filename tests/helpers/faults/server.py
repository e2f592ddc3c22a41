"""A process that has loaded everything, and runs each command in a child that it forks: a command starts in milliseconds.

It reads requests from standard input, one JSON object per line, and answers each with one line. ``commands.Commands`` is the
other end.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import traceback
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))  # where the tests' helpers are

from faults.counting import Counter, Fault


def serve() -> None:
    """Answer requests until standard input is closed."""
    out = os.fdopen(os.dup(1), "w")
    import torch

    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()  # children would otherwise copy the pages of all objects at their first collection
    running: dict[int, int] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "start":
            child, reader = start(request)
            running[child] = reader
            answer: dict[str, Any] = {"pid": child}
        else:
            child = request["pid"]
            answer = end(child, running.pop(child))
        for name in answer.pop("modules", ()):
            load(name)
        print(json.dumps(answer), file=out, flush=True)


def load(name: str) -> None:
    """Import a module that a child has needed, so that the next one has it already."""
    if name not in sys.modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def start(request: dict[str, Any]) -> tuple[int, int]:
    """Start a command in a child; return its process and a pipe on which it will say what it has counted."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        be_command(request, writer)
    os.close(writer)
    return child, reader


def end(child: int, reader: int) -> dict[str, Any]:
    """Wait for a command; return its exit code, what it counted, and which modules it has loaded if it ended itself."""
    with os.fdopen(reader) as pipe:
        told = pipe.read()
    _, status, usage = os.wait4(child, 0)
    found = json.loads(told) if told else {"events": None, "sent": None}
    seconds = usage.ru_utime + usage.ru_stime
    return {"code": os.waitstatus_to_exitcode(status), "seconds": seconds, **found}


def be_command(request: dict[str, Any], writer: int) -> None:
    """Run the command line in this process, and end it. Nothing is left of the server but its loaded modules."""
    code = 99
    fault = request["fault"] and Fault(**request["fault"])
    counter = Counter(request["folder"], fault)
    try:
        os.setsid()
        for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
            opened = os.open(request[name], os.O_RDONLY if number == 0 else os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
            os.dup2(opened, number)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the streams of this process
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(request["folder"])
        os.environ.update(request["environment"])
        sys.argv = ["treesmu", *request["arguments"]]
        counter.start()
        code = _exit_code()
    except BaseException:
        traceback.print_exc()
    finally:
        counter.stop()
        sys.stdout.flush()
        sys.stderr.flush()
        facts = {"events": counter.events, "sent": counter.sent, "modules": [*sys.modules]}
        with contextlib.suppress(OSError):
            os.write(writer, json.dumps(facts).encode())
        os._exit(code)


def _exit_code() -> int:
    from treesmu.cli import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the tests were killed
        serve()
