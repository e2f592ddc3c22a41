"""The command ``treesmu reproduce``: every study of the paper, or models compared on a user's own trees; then the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treesmu.extras import REPORT, require
from treesmu.task_names import TREE_TASKS, measure_of

from .terminal.completion import complete_from, studies, study_presets
from .terminal.imports import corpus_folder
from .terminal.jobs_progress import JobsProgress, exit_if_any
from .terminal.messages import print_text, say
from .terminal.options import (
    Address,
    AsJson,
    Device,
    Engine,
    InputError,
    Plugins,
    Resume,
    check_device,
    check_engine,
    choice_of,
    depth_range,
    load_plugins,
)
from .terminal.tree_files import refuse_trees

if TYPE_CHECKING:
    from treesmu.experiments.own_corpus import OwnCorpus
    from treesmu.experiments.tree_files import TreeFiles


def reproduce(
    out: Annotated[Path, typer.Option(metavar="OUT", help="The folder for corpora, runs and the report.")],
    preset: Annotated[
        str,
        choice_of(
            study_presets,
            "quick, paper, long, published, generalisation, or a TOML file of your own; see docs/explanation/studies.md.",
        ),
    ] = "quick",
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Use these equations, or with --task trees, instead of the preset's corpora."),
    ] = None,
    task: Annotated[
        str | None, choice_of(lambda: TREE_TASKS, "What is learned of a --corpus of trees: classify, regress, compare or tag.")
    ] = None,
    depths: Annotated[
        str | None, typer.Option(metavar="A-B", help="With --task: depths of training; other trees are for the test.")
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder with files that corpora of the preset are made of. Repeatable."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="STUDY", autocompletion=complete_from(studies), help="Only this study. Repeatable."),
    ] = None,
    resume: Resume = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Runs at the same time; by default one per core.")
    ] = None,
    engine: Engine = "local",
    address: Address = None,
    device: Device = "cpu",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Repeat the paper's studies and write the report.

    Generates the corpora, trains the models of all studies, analyses them, and writes OUT/report.html. Interrupted at any
    moment, it continues with --resume to the same numbers.

    \b
    Examples:
      treesmu reproduce --out results               # preset quick, some minutes
      treesmu reproduce --out results --only localism --preset paper
      treesmu reproduce --out results --corpus equations.csv
      treesmu reproduce --preset elsewhere --corpus trees.jsonl --task tag --out r
    """
    load_plugins(plugin)
    check_engine(engine, address)
    require("treesmu reproduce", *REPORT, "sklearn", "openTSNE")
    from treesmu.engine import default_jobs, open_executor
    from treesmu.experiments.preset import Preset
    from treesmu.experiments.reproduce import Reproduction

    check_device(device, engine)
    chosen = Preset.read(preset, _own_corpus(corpus, task, depth_range(depths)), _existing(files or []))
    for name, reason in chosen.missing.items():
        say(f"corpus {name} is left out: {reason}")
    for study, reason in chosen.left_out.items():
        say(f"study {study} is left out: {reason}")
    for line in chosen.impossible_runs():
        say(f"left out: {line}")
    reproduction = Reproduction(chosen, out, only=only, resume=resume, device=device)
    progress = _ReproductionProgress(is_quiet=as_json)
    with open_executor(engine, jobs or default_jobs(), address) as executor:
        failed = reproduction.run(executor, progress)
    from treesmu.report.write import write_report

    progress.say("report")
    written = write_report(out)  # also if runs failed: the report names what is missing
    if as_json:
        result = {"out": str(out), "runs": len(reproduction.runs), "failed": failed, "report": str(written.report)}
        print(json.dumps(result, indent=2))
    else:
        print_text(f"report: {written.report}")
    exit_if_any(failed)


def _own_corpus(corpus: Path | None, task: str | None, depths: tuple[int, int] | None) -> OwnCorpus | TreeFiles | None:
    """Return the user's own equations, or trees if there is a task; None if there is no corpus."""
    from treesmu.experiments.own_corpus import OwnCorpus
    from treesmu.experiments.tree_files import TreeFiles, TreeFileSettings

    if task is None:
        if depths is not None:
            raise InputError("--depths is for a --corpus of trees, with --task")
        return None if corpus is None else OwnCorpus(corpus_folder(refuse_trees(corpus)), corpus.resolve().name)
    if task not in TREE_TASKS:
        raise InputError(f"--task {task!r}: unknown task of trees; known: {', '.join(TREE_TASKS)}; for equations leave it out")
    if corpus is None:
        raise InputError("--task is the task of a --corpus of trees; name that too, such as --corpus trees.jsonl")
    given = {"trees": corpus.name, "task": task, "train_depths": depths}
    return TreeFiles(corpus, TreeFileSettings.model_validate(given))


def _existing(folders: list[Path]) -> list[Path]:
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"--files {folder}: there is no such folder")
    return folders


class _ReproductionProgress(JobsProgress):
    """Corpora as they begin, runs and analyses as they end."""

    def __call__(self, kind: str, facts: dict[str, Any]) -> None:
        if kind in ("runs", "analyses"):
            self.begin(kind, facts["all"], facts["all"] - facts["todo"])
        elif kind == "corpus":
            self.say(f"corpus {facts['name']}")
        else:
            measure = measure_of(facts.get("task", "verify"))
            known = [name for name in ("validation", "test") if facts.get(name) is not None]
            self.end(facts, "   ".join(f"{name} {measure.text(facts[name])}" for name in known))
