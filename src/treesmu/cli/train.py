"""The command ``treesmu train``: train a model on a corpus."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from treesmu.errors import shorten
from treesmu.task_names import TASKS

from .terminal.imports import corpus_folder
from .terminal.messages import say
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
    TrainingDepths,
    TrainingRows,
    assignment,
    check_engine,
    choice_of,
    depth_range,
    find_model,
    load_plugins,
    parse_settings,
    plugin_options,
)
from .terminal.streams import open_stream
from .terminal.training_screen import TensorBoard, TrainingScreen, call_each
from .terminal.tree_files import refuse_trees


def train(
    corpus_or_file: Annotated[
        Path,
        typer.Argument(help="A corpus folder, or a file of equations: CSV, text, JSON, Parquet; or of trees, with --task."),
    ],
    out: Annotated[Path, typer.Option(metavar="RUN", help="The new run folder.")],
    task: Annotated[
        str | None,
        choice_of(lambda: TASKS, "verify equations (default); or learn to classify, regress, compare or tag any trees."),
    ] = None,
    model: ModelName = None,
    recipe: Recipe = None,
    depths: TrainingDepths = None,
    rows: TrainingRows = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Maximum number of epochs.")] = None,
    batch: Annotated[int | None, typer.Option(metavar="N", min=1, help="Equations per batch.")] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", "--lr", metavar="RATE", help="Learning rate of Adam at the start.")
    ] = None,
    hidden: Annotated[int | None, typer.Option(metavar="N", min=1, help="Size n of the states.")] = None,
    setting: Annotated[
        list[str] | None, assignment("Any other setting, such as head=distance or cell.stack=5. Repeatable.", "--set")
    ] = None,
    config: Config = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same weights, bit for bit.")
    ] = None,
    seeds: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Several seeds, separated by commas: one run each, in RUN/seed-N.")
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Generate new training equations for every epoch, beside training.")
    ] = False,
    mixture: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCES",
            help="Sources of a stream and their weights, such as near-miss:2,textbook; see docs/explanation/training.md.",
        ),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Equations that a stream leaves out, besides validation and test. Repeatable."),
    ] = None,
    start_from: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="Start from the weights of this run, file or shipped model, with its settings."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the run in RUN with its settings; begin one if there is none.")
    ] = False,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write RUN/tensorboard.")] = False,
    checkpoint_seconds: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Time between two checkpoints within an epoch.")
    ] = 60,
    threads: Annotated[
        int, typer.Option(metavar="N", min=1, max=1024, help="Threads; several help tree models with large batches.")
    ] = 1,
    device: Device = "auto",
    engine: Engine = "local",
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes that generate a stream; by default all cores but one.")
    ] = None,
    address: Address = None,
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Train a model on a corpus.

    Keeps the weights that are best on validation, and tests them. The run folder has settings.json, metrics.jsonl,
    model.safetensors, test.json and predictions.parquet. Killed at any moment, a run continues with --resume to the same
    weights. Under torchrun, processes share the work of each batch. With --stream, an epoch is --rows new equations, 50,000 by
    default; the corpus gives validation, test and how equations are made. With --task, the data are JSONL, Parquet or brackets
    of trees; see docs/how-to/own-trees.md.

    \b
    Examples:
      treesmu train corpora/quick --out runs/first
      treesmu train equations.csv --out runs/mine
      treesmu train trees.jsonl --task classify --out runs/trees
      treesmu train corpora/quick --model tree-lstm --depths 1-7 --out runs/lstm
      treesmu train corpora/quick --recipe treesmu --seeds 1,2,3 --out runs/ours
      treesmu train corpora/quick --stream --mixture textbook --out runs/new
      treesmu train equations.csv --start-from runs/first --out runs/adapted
      treesmu train corpora/quick --plugin my.py --model my-cell --out runs/mine
    """
    load_plugins(plugin)
    check_engine(engine, address)
    if seed is not None and seeds is not None:
        raise InputError("--seed and --seeds: give one of them")
    options: dict[str, Any] = {
        "model": model, "recipe": recipe, "depths": depth_range(depths), "rows": rows, "epochs": epochs, "batch": batch,
        "learning_rate": learning_rate, "seed": seed, "cell": None if hidden is None else {"hidden": hidden},
        "task": task, "stream": stream or None, "mixture": mixture, "exclude": tuple(exclude) if exclude else None,
        "start_from": None if start_from is None else find_model(start_from),
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    requested = [(out, given)]
    if seeds is not None:
        requested = [(out / f"seed-{number}", given | {"seed": number}) for number in _parse_seeds(seeds)]
    others = parse_settings(setting or [])
    import torch

    from treesmu.training.distributed import ProcessGroup
    from treesmu.training.trainer import Trainer

    torch.set_num_threads(threads)
    results = []
    with ProcessGroup.join() as process_group:
        is_first = process_group.rank == 0
        how: dict[str, Any] = {
            "resume": resume,
            "checkpoint_seconds": checkpoint_seconds,
            "process_group": process_group,
            "device": device,
        }
        corpus, runs = process_group.run_on_first(lambda: _open_runs(corpus_or_file, requested, config, others, resume))
        for folder, settings in runs:
            next_command = shlex.join(["treesmu", "evaluate", str(folder), str(corpus), *plugin_options(plugin)])
            screen = TrainingScreen(settings, folder, next_command, is_quiet=as_json or not is_first)
            board = TensorBoard(folder) if tensorboard and is_first else None
            with open_stream(corpus, settings, engine, jobs, address) as equations:
                Trainer(corpus, folder, settings, callback=call_each(screen, board), stream=equations, **how).run()
            results.append({"run": str(folder), **screen.result})
    if as_json and is_first:
        print(json.dumps(results if seeds is not None else results[0], indent=2))
    process_group.exit()


def _open_runs(
    corpus_or_file: Path,
    requested: list[tuple[Path, dict[str, Any]]],
    config: Path | None,
    others: dict[str, Any],
    resume: bool,
) -> tuple[Path, list[tuple[Path, Any]]]:
    """Return the corpus, and folder and settings of each run. Wrong settings are refused before a file is imported, and those
    of a later run before the first one starts.

    Options override --set, --set overrides the file, and the file overrides the settings of a run that is resumed.
    """
    from treesmu.training.run_folder import RunFolder, run_identity
    from treesmu.training.settings import TrainSettings, merge_settings, read_settings
    from treesmu.training.start_weights import settings_of_file

    common, runs = merge_settings(read_settings(config) if config else {}, others), []
    for folder, given in requested:
        run = RunFolder(folder)
        run.require_usable(resume)
        is_resumed = resume and run.settings.exists()
        before = run.stored_settings()["settings"] if is_resumed else {}
        if resume and not is_resumed:
            say(f"{folder}: there is no run to resume; a new one begins")
        chosen = merge_settings(before, common, given)
        started = settings_of_file(chosen["start_from"]) if chosen.get("start_from") else {}
        runs.append((folder, TrainSettings.of(**merge_settings(started, chosen))))
    if runs[0][1].task != "verify":
        return corpus_or_file, runs  # the trainer reads the file, and refuses a folder of another run
    corpus = corpus_folder(refuse_trees(corpus_or_file))
    for folder, settings in runs:
        RunFolder(folder).open(run_identity(settings, corpus), resume)
    return corpus, runs


def _parse_seeds(text: str) -> list[int]:
    shown = shorten(text)
    try:
        seeds = [int(part) for part in text.split(",")]
    except ValueError:
        message = "expected whole numbers separated by commas, such as 12093,12345,45678"
        raise InputError(f"--seeds {shown!r}: {message}") from None
    if len(set(seeds)) < len(seeds) or min(seeds) < 0:
        raise InputError(f"--seeds {shown!r}: seeds must be different and not negative")
    return seeds
