"""treesmu reproduce: every study of the paper with one command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from .terminal.jobs_progress import JobsProgress, exit_if_any
from .terminal.options import Address, AsJson, Engine, check_engine


def reproduce(
    out: Annotated[Path, typer.Option(help="The folder for corpora, runs and the report.")],
    preset: Annotated[str, typer.Option(help="quick, paper, long, or a TOML file of your own: see docs/studies.md.")] = "quick",
    only: Annotated[list[str] | None, typer.Option(help="Only this study; may be given again.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in OUT; nothing is done twice.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Runs at a time; as many as there are cores by default.")] = None,
    engine: Engine = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Make the corpora, train all models of all studies, analyse them, and write the report."""
    check_engine(engine, address)
    from treesmu.engine import default_jobs, open_executor
    from treesmu.experiments.preset import Preset
    from treesmu.experiments.reproduce import Reproduction

    reproduction = Reproduction(Preset.read(preset), out, only=only, resume=resume)
    screen = _Screen(quiet=as_json)
    with open_executor(engine, jobs or default_jobs(), address) as executor:
        failed = reproduction.run(executor, screen)
    from treesmu.report.write import write_report

    screen.say("report")
    written = write_report(out)  # also of a part: it says what is missing
    if as_json:
        told = {"out": str(out), "runs": len(reproduction.runs), "failed": failed, "report": str(written.report)}
        print(json.dumps(told, indent=2))
    else:
        print(f"report: {written.report}")
    exit_if_any(failed)


class _Screen(JobsProgress):
    """Corpora, then training runs and analyses as they end."""

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind in ("runs", "analyses"):
            self.begin(kind, facts["all"], facts["all"] - facts["todo"])
        elif kind == "corpus":
            self.say(f"corpus {facts['name']}")
        else:
            found = [f"{name} {100 * facts[name]:.1f}%" for name in ("validation", "test") if name in facts]
            self.end(facts, "   ".join(found))
