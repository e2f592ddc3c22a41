"""The progress of many jobs: one line for each that ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import typer

from treesmu.errors import printable

from .durations import format_seconds
from .messages import say


class JobsProgress:
    """Lines on standard error: how many jobs there are, each one that ended, and how long the rest will take."""

    def __init__(self, is_quiet: bool) -> None:
        self.is_quiet = is_quiet
        self.total = self.done_before = self.ended = 0
        self.start = time.monotonic()

    def begin(self, kind: str, total: int, done_before: int = 0) -> None:
        """Announce the jobs. done_before: how many of them an earlier call has done."""
        self.total, self.done_before, self.ended, self.start = total, done_before, 0, time.monotonic()
        self.say(f"{kind}: {total - done_before} to do" + (f", {done_before} done" if done_before else ""))

    def end(self, job: dict[str, Any], outcome: str) -> None:
        """Report a job that ended. job: its name, and its error and log if it failed; outcome: its result otherwise."""
        self.ended += 1
        ended = self.done_before + self.ended
        left = format_seconds((time.monotonic() - self.start) / self.ended * max(0, self.total - ended))
        result = f"failed: {job['error']}" if job["error"] else outcome
        self.say("   ".join(part for part in (f"[{ended}/{self.total}] {job['name']}", result, f"({left} left)") if part))
        if job["error"] and job["log"]:
            self.say(job["log"])

    def say(self, text: str) -> None:
        """Print a line, unless quiet."""
        if not self.is_quiet:
            print(printable(text, keep="\n"), file=sys.stderr, flush=True)


def exit_if_any(failed: list[str]) -> None:
    """Exit with code 1 and one line on standard error if jobs failed."""
    if failed:
        remedy = "remove the cause and continue with --resume"
        say(f"{len(failed)} failed, the first: {failed[0]}; {remedy}")
        raise typer.Exit(1)


def show_progress(total: int, noun: str = "blanks") -> Callable[[str, int], None]:
    """Return a callback that shows the progress in one line, on a terminal only."""

    def show(action: str, done: int) -> None:
        if sys.stderr.isatty():
            end = "\r\033[K" if (action, done) == ("checked", total) else ""
            print(f"\r{action} {done:,} of {total:,} {noun}\033[K{end}", end="", file=sys.stderr, flush=True)

    return show
