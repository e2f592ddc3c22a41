"""treesmu reproduce: every study of the paper with one command."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from .shared import Address, AsJson, Engine, check_engine, clock


def reproduce(
    out: Annotated[Path, typer.Option(help="The folder for corpora, runs and the report.")],
    preset: Annotated[str, typer.Option(help="quick, paper, or a TOML file of your own: see docs/studies.md.")] = "quick",
    only: Annotated[list[str] | None, typer.Option(help="Only this study; may be given again.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in OUT; nothing is done twice.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Runs at a time; as many as there are cores by default.")] = None,
    engine: Engine = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Make the corpora, train all models of all studies, analyse them, and write the report."""
    check_engine(engine, address)
    from ..engine import default_jobs
    from ..engine import engine as open_engine
    from ..experiments.preset import Preset
    from ..experiments.reproduce import Reproduction

    reproduction = Reproduction(Preset.read(preset), out, only=only, resume=resume)
    screen = _Screen(quiet=as_json)
    with open_engine(engine, jobs or default_jobs(), address) as place:
        failed = reproduction.run(place, screen)
    from ..report.write import write_report

    screen.say("report")
    written = write_report(out)  # also of a part: it says what is missing
    if as_json:
        told = {"out": str(out), "runs": len(reproduction.runs), "failed": failed, "report": str(written.report)}
        print(json.dumps(told, indent=2))
    else:
        print(f"report: {written.report}")
    if failed:
        remedy = "mend the cause and go on with --resume"
        print(f"treesmu: {len(failed)} failed, the first: {failed[0]}; {remedy}", file=sys.stderr)
        raise typer.Exit(1)


class _Screen:
    """A line for each corpus, run and analysis that ends, and how long the rest will take."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.todo = self.ended = 0
        self.began = time.monotonic()

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind in ("runs", "analyses"):
            self.todo, self.ended, self.began = facts["todo"], 0, time.monotonic()
            self.say(f"{kind}: {facts['todo']} to do" + (f", {facts['all'] - facts['todo']} done" if "all" in facts else ""))
        elif kind == "corpus":
            self.say(f"corpus {facts['name']}")
        else:
            self._ended(facts)

    def _ended(self, facts: dict[str, Any]) -> None:
        self.ended += 1
        left = (time.monotonic() - self.began) / self.ended * (self.todo - self.ended)
        found = "".join(f"   {name} {100 * facts[name]:.1f}%" for name in ("validation", "test") if name in facts)
        outcome = f"failed: {facts['error']}" if facts["error"] else found.strip()
        self.say(f"[{self.ended}/{self.todo}] {facts['name']}   {outcome}   ({clock(left)} left)")
        if facts["error"] and facts["log"]:
            self.say(facts["log"])

    def say(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)
