"""The command ``treesmu sweep``: search the settings of a model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from treesmu.extras import REPORT, require
from treesmu.task_names import TASKS, Measure

from .terminal.imports import corpus_folder
from .terminal.jobs_progress import JobsProgress, exit_if_any
from .terminal.messages import print_text
from .terminal.options import (
    Address,
    AsJson,
    Config,
    Device,
    Engine,
    InputError,
    ModelName,
    Plugins,
    Recipe,
    Resume,
    TrainingDepths,
    TrainingRows,
    assignment,
    check_device,
    check_engine,
    choice_of,
    depth_range,
    load_plugins,
    parse_settings,
    plugin_options,
)


def sweep(
    corpus: Annotated[
        Path,
        typer.Argument(help="A corpus folder, or a file of equations: CSV, text, JSON, Parquet; or of trees, with --task."),
    ],
    out: Annotated[Path, typer.Option(metavar="OUT", help="The folder for trials, table and figure.")],
    task: Annotated[
        str | None, choice_of(lambda: TASKS, "verify equations (default); or classify, regress, compare or tag any trees.")
    ] = None,
    model: ModelName = None,
    sampler: Annotated[
        str, choice_of(lambda: ("grid", "tpe"), "grid: every combination. tpe: Bayesian search with pruning.")
    ] = "grid",
    over: Annotated[
        list[str] | None,
        assignment(
            "A setting to search, instead of the paper's grid: NAME=A,B,C or, for tpe, NAME=LOW..HIGH. Repeatable.",
            value="VALUES",
        ),
    ] = None,
    trials: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Total number of trials of tpe; 50 by default.")
    ] = None,
    recipe: Recipe = None,
    depths: TrainingDepths = None,
    rows: TrainingRows = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Maximum number of epochs of a trial.")] = None,
    setting: Annotated[list[str] | None, assignment("Any other setting, the same in all trials. Repeatable.", "--set")] = None,
    config: Config = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Seed of every trial and of the sampler.")] = None,
    storage: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="An Optuna URL that several machines share, such as postgresql://...; by default a file in OUT."
        ),
    ] = None,
    resume: Resume = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Trials at the same time; by default one per core.")
    ] = None,
    engine: Engine = "local",
    address: Address = None,
    device: Device = "cpu",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Search the settings of a model.

    Tries the paper's grid, or samples settings with TPE and stops poor trials early. The trial with the best validation
    accuracy (R² for regress) is tested, and its settings are written to OUT/best.toml for treesmu train.

    \b
    Examples:
      treesmu sweep corpora/quick --model tree-lstm --out sweeps/lstm
      treesmu sweep corpora/quick --sampler tpe --over batch=16,32 --out sweeps/b
      treesmu sweep trees.jsonl --task classify --over cell.hidden=30,50 --out s
    """
    load_plugins(plugin)
    check_engine(engine, address)
    if sampler == "grid" and trials is not None:
        raise InputError("--trials is for --sampler tpe; a grid is tried completely")
    require("treesmu sweep", "optuna", *REPORT)
    from treesmu.engine import default_jobs, open_executor
    from treesmu.experiments.tuning.space import Parameter, paper_space
    from treesmu.experiments.tuning.sweep import Sweep
    from treesmu.report.sweep import write_sweep
    from treesmu.training.settings import TrainSettings, merge_settings, read_settings

    options = {
        "task": task, "model": model, "recipe": recipe, "depths": depth_range(depths), "rows": rows, "epochs": epochs,
        "seed": seed,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    in_file = read_settings(config) if config else {}
    settings = TrainSettings.of(**merge_settings(in_file, parse_settings(setting or []), given))
    space = [Parameter.read(text) for text in over] if over else paper_space(settings.model)
    check_device(device, engine)
    how: dict[str, Any] = {"sampler": sampler, "trials": trials or 50, "storage": storage, "resume": resume, "device": device}
    corpus = corpus_folder(corpus) if settings.task == "verify" else corpus
    search = Sweep(corpus, out, settings, space, **how)
    progress = _SweepProgress(search.plan.measure, is_quiet=as_json)
    with open_executor(engine, jobs or default_jobs(), address) as executor:
        failed = search.run(executor, progress)
    written = write_sweep(out)
    if as_json:
        files = {"tables": written.tables, "figures": written.figures}
        names = {kind: [str(file) for file in some] for kind, some in files.items()}
        print(json.dumps({"out": str(out), "best": progress.best, "failed": failed, **names}, indent=2))
    elif progress.best:
        _print_best(out, progress.best, progress.measure, ["treesmu", "train", str(corpus), *plugin_options(plugin)])
    exit_if_any(failed)


def _print_best(out: Path, best: dict[str, Any], measure: Measure, train: list[str]) -> None:
    test = "" if best[measure.test] is None else f"   test {measure.text(best[measure.test])}"
    print_text(f"best    {best['name']}   validation {measure.text(best[measure.validation])}{test}")
    print_text(f"table   {out / 'tables' / 'trials.md'}")
    print_text(f"figure  {out / 'figures' / 'sweep.svg'}")
    print_text(f"next    {shlex.join([*train, '--config', str(out / 'best.toml'), '--out', 'RUN'])}")


class _SweepProgress(JobsProgress):
    """Trials as they end; ``best`` is the best one at the end."""

    def __init__(self, measure: Measure, is_quiet: bool) -> None:
        super().__init__(is_quiet)
        self.measure = measure
        self.best: dict[str, Any] | None = None

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "trials":
            self.begin(kind, facts["all"], facts["ended"])
        elif kind == "best":
            self.best = facts
        else:
            stopped = f"   stopped after {facts['epochs']} epochs" if facts.get("is_pruned") else ""
            self.end(facts, "" if facts["error"] else f"validation {self.measure.text(facts['validation'])}{stopped}")
