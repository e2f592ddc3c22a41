"""What is seen of many jobs: a line for each that ends."""

from __future__ import annotations

import sys
import time
from typing import Any

import typer

from .options import clock


class JobsProgress:
    """On standard error, where the answer is not: what there is to do, each job that ended, how long the rest will take."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.all = self.before = self.ended = 0
        self.began = time.monotonic()

    def begin(self, kind: str, all_jobs: int, before: int = 0) -> None:
        """before: how many of them were done by an earlier call."""
        self.all, self.before, self.ended, self.began = all_jobs, before, 0, time.monotonic()
        self.say(f"{kind}: {all_jobs - before} to do" + (f", {before} done" if before else ""))

    def end(self, job: dict[str, Any], outcome: str) -> None:
        """job: its name, its error and log, if it failed; outcome: what is said if it did not."""
        self.ended += 1
        ended = self.before + self.ended
        left = clock((time.monotonic() - self.began) / self.ended * max(0, self.all - ended))
        told = f"failed: {job['error']}" if job["error"] else outcome
        self.say("   ".join(part for part in (f"[{ended}/{self.all}] {job['name']}", told, f"({left} left)") if part))
        if job["error"] and job["log"]:
            self.say(job["log"])

    def say(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)


def exit_if_any(failed: list[str]) -> None:
    if failed:
        remedy = "mend the cause and go on with --resume"
        print(f"treesmu: {len(failed)} failed, the first: {failed[0]}; {remedy}", file=sys.stderr)
        raise typer.Exit(1)
