"""treesmu sweep: search the settings of a model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from .terminal.jobs_progress import JobsProgress, exit_if_any
from .terminal.options import Address, AsJson, Engine, InputError, check_engine, depth_range, pairs


def sweep(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, as treesmu generate makes.")],
    out: Annotated[Path, typer.Option(help="The folder for trials, table and figure.")],
    model: Annotated[str | None, typer.Option(help="As for treesmu train.")] = None,
    sampler: Annotated[str, typer.Option(help="grid: every combination; tpe: a smarter search with pruning.")] = "grid",
    over: Annotated[
        list[str] | None,
        typer.Option(
            help="A setting to search, NAME=A,B,C or (tpe) NAME=LOW..HIGH, in place of the paper's grid; may be given again."
        ),
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Of tpe, in all; 50 by default.")] = None,
    recipe: Annotated[str | None, typer.Option(help="paper, or treesmu (tree models).")] = None,
    depths: Annotated[str | None, typer.Option(help="Depths of training and validation equations, A-B.")] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="Train on so many equations.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Of a trial, at most.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Any other setting of all trials, NAME=VALUE; may be given again.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings; options count before it.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of every trial, and of the sampler.")] = None,
    storage: Annotated[
        str | None, typer.Option(help="An Optuna URL that machines share, such as postgresql://...; a file in OUT by default.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in OUT; nothing is done twice.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Trials at a time; as many as there are cores by default.")] = None,
    engine: Engine = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Search the settings of a model: the paper's grid, or TPE with pruning. The best on validation is tested."""
    check_engine(engine, address)
    if sampler == "grid" and trials is not None:
        raise InputError("--trials is for --sampler tpe; a grid is tried whole")
    from treesmu.engine import default_jobs, open_executor
    from treesmu.experiments.tuning.space import Parameter, paper_space
    from treesmu.experiments.tuning.sweep import Sweep
    from treesmu.report.sweep import write_sweep
    from treesmu.training.settings import TrainSettings, merge_settings, read_settings

    options = {"model": model, "recipe": recipe, "depths": depth_range(depths), "rows": rows, "epochs": epochs, "seed": seed}
    given = {name: value for name, value in options.items() if value is not None}
    settings = TrainSettings.of(**merge_settings(read_settings(config) if config else {}, pairs(setting or []), given))
    space = [Parameter.read(text) for text in over] if over else paper_space(settings.model)
    how: dict[str, Any] = {"sampler": sampler, "trials": trials or 50, "storage": storage, "resume": resume}
    search = Sweep(corpus, out, settings, space, **how)
    screen = _Screen(quiet=as_json)
    with open_executor(engine, jobs or default_jobs(), address) as executor:
        failed = search.run(executor, screen)
    written = write_sweep(out)
    if as_json:
        files = {"tables": written.tables, "figures": written.figures}
        names = {kind: [str(file) for file in some] for kind, some in files.items()}
        print(json.dumps({"out": str(out), "best": screen.best, "failed": failed, **names}, indent=2))
    elif screen.best:
        _print_best(out, corpus, screen.best)
    exit_if_any(failed)


def _print_best(out: Path, corpus: Path, best: dict[str, Any]) -> None:
    test = "" if best["test_accuracy"] is None else f"   test {100 * best['test_accuracy']:.1f}%"
    print(f"best    {best['name']}   validation {100 * best['validation_accuracy']:.1f}%{test}")
    print(f"table   {out / 'tables' / 'trials.md'}")
    print(f"figure  {out / 'figures' / 'sweep.svg'}")
    print(f"next    {shlex.join(['treesmu', 'train', str(corpus), '--config', str(out / 'best.toml'), '--out', 'RUN'])}")


class _Screen(JobsProgress):
    """Trials as they end, and what the best was."""

    best: dict[str, Any] | None = None

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "trials":
            self.begin(kind, facts["all"], facts["ended"])
        elif kind == "best":
            self.best = facts
        else:
            stopped = f"   stopped after {facts['epochs']} epochs" if facts.get("is_pruned") else ""
            self.end(facts, "" if facts["error"] else f"validation {100 * facts['validation']:.1f}%{stopped}")
