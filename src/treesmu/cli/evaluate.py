"""The command ``treesmu evaluate``: measure a model on data, overall and by depth."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .evaluate_trees import evaluate_trees, refuse_options, task_of_trees
from .tables import ranks as ranks_output
from .tables import verification as verification_output
from .terminal.completion import SPLITS
from .terminal.imports import corpus_folder, read_blanks, read_candidates, read_dataset, read_questions
from .terminal.jobs_progress import show_progress
from .terminal.messages import print_text
from .terminal.options import AsJson, Device, InputError, Plugins, choice_of, depth_range, find_model, load_plugins, read_model
from .terminal.untrained import say_unreadable, untrained_facts, warn_of_untrained

if TYPE_CHECKING:
    from treesmu.data import Dataset
    from treesmu.models.model import Model

    Reader = Callable[..., Model]  # of the model that is measured, in a dtype

Depths = tuple[int, int] | None


def evaluate(
    model: Annotated[Path, typer.Argument(help="A run folder, a file of weights, or the name of a shipped model.")],
    data: Annotated[Path, typer.Argument(help="A corpus folder, or a file of equations, of which all rows are measured.")],
    task: Annotated[
        str, choice_of(lambda: ("verify", "complete"), "verify: label equations. complete: rank the fillers of blanks.")
    ] = "verify",
    depths: Annotated[str | None, typer.Option(metavar="A-B", help="Only equations or trees of these depths.")] = None,
    split: Annotated[
        str, choice_of(lambda: SPLITS, "verify: the split of a corpus folder: test, validation or train.")
    ] = "test",
    unseen: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS",
            help="verify: leave out equations of this corpus's train and validation splits, even if variables are renamed, "
            "sides swapped or terms reordered.",
        ),
    ] = None,
    confirmed: Annotated[
        bool, typer.Option("--confirmed", help="verify: only equations whose label the numeric check confirms.")
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="verify: probabilities of the network itself, without the model's calibration.")
    ] = False,
    candidates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="complete: the candidates; by default candidates.parquet of the corpus. verify: measure the equations of "
            "blanks, each beside one with a wrong filler from this file.",
        ),
    ] = None,
    no_true: Annotated[
        bool, typer.Option("--no-true", help="complete: skip the check of which fillers are correct, the slowest part.")
    ] = False,
    float32: Annotated[
        bool, typer.Option("--float32", help="complete: faster, but nearly equal scores may be ranked differently.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write measures (JSON) and predictions or ranks (Parquet) to this folder."),
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(metavar="K", min=1, max=1024, help="Read variables at K points; for models that read them as numbers."),
    ] = None,
    device: Device = "auto",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Measure a model on data, overall and by depth.

    The data are labelled equations (task verify) or equations with a blank (task complete); for a model of trees, a file of
    trees, of which the split is measured: as the run divided it if it is the file of the run, otherwise as the file says, or
    all rows if it says nothing.

    \b
    Examples:
      treesmu evaluate runs/first corpora/quick --depths 8-13
      treesmu evaluate runs/first corpora/quick --task complete
      treesmu evaluate runs/first blanks.json --candidates all.json --confirmed
      treesmu evaluate runs/trees trees.jsonl --depths 8-12
    """
    load_plugins(plugin)
    if task not in ("verify", "complete"):
        raise InputError(f"--task {task!r}: unknown task; known: verify, complete")
    if task == "verify" and (no_true or float32):
        raise InputError("--no-true and --float32 belong to --task complete; leave them out, or add it")
    if task == "complete" and (unseen is not None or confirmed or raw):
        raise InputError("--unseen, --confirmed and --raw belong to --task verify; leave them out")
    chosen = depth_range(depths)
    file = find_model(model)  # refused before the data are imported: the two arguments may be swapped
    if (asked := task_of_trees(file)) is not None:
        refuse_options(asked, task, unseen=unseen, confirmed=confirmed, raw=raw, candidates=candidates, points=points)
        _check_absent(out, "test", "predictions")
        evaluate_trees(file, data, split, chosen, device, out, as_json)
        return
    read = partial(read_model, model, device, points=points)
    if task == "verify":
        _check_absent(out, "test", "predictions")
        rows = _read_rows(data, split, chosen, candidates)
        measures = _verify(read, rows, unseen, confirmed, raw, out)
        print_text(json.dumps(measures, indent=2) if as_json else verification_output.table(measures))
    else:
        dtype = "float32" if float32 else "float64"
        measures = _complete(read, data, candidates, chosen, not no_true, dtype, out)
        print_text(json.dumps(measures, indent=2) if as_json else ranks_output.table(measures))


# -- verification ------------------------------------------------------------------------------------------------------


def _read_rows(data: Path, split: str, depths: Depths, candidates: Path | None) -> Dataset:
    """Return the labelled equations: of a corpus or a file, or those of blanks, with wrong fillers if there are candidates."""
    if candidates is None and not _is_folder_of_blanks(data):
        rows = read_dataset(data, split).select(depths=depths)
        if not (rows.label >= 0).any():
            raise InputError(f"{data}: no labelled equations{_of_depths(depths)}")
        return rows
    from treesmu.data.corpus.blanks import holds_blanks
    from treesmu.tasks.gold import gold_and_wrong, gold_equations

    if not holds_blanks(data):
        raise InputError(f"{data}: no blanks, so that no wrong filler can be put in; leave out --candidates")
    blanks = read_blanks(data).select(depths)
    if not len(blanks):
        raise InputError(f"{data}: no blanks{_of_depths(depths)}")
    return gold_equations(blanks) if candidates is None else gold_and_wrong(blanks, read_candidates(candidates))


def _is_folder_of_blanks(data: Path) -> bool:
    """Return whether a folder has files of blanks like those of the authors, and is no corpus."""
    return data.is_dir() and any(data.glob("*_blank_*.json")) and not (data / "blanks.parquet").exists()


def _verify(read: Reader, rows: Dataset, unseen: Path | None, confirmed: bool, raw: bool, out: Path | None) -> dict[str, Any]:
    from treesmu.tasks.gold import GOLD, gold_measures
    from treesmu.tasks.verification import prediction_columns
    from treesmu.tasks.verify import confirmed_rows, evaluate_verification, readable_rows
    from treesmu.training.run_folder import RunFolder

    facts: dict[str, Any] = {}
    if unseen is not None:
        before, rows = len(rows), rows.take(~_is_in(unseen, rows))
        facts |= {"unseen": str(unseen), "left_out": before - len(rows)}
    if confirmed:
        before, rows = len(rows), confirmed_rows(rows, show_progress(len(rows), "equations"))
        facts["not_confirmed"] = before - len(rows)
    if not (rows.label >= 0).any():
        absent = f" that are not in {unseen}" if unseen else ""
        raise InputError(f"{rows.source}: no labelled equations{absent}{' that the numeric check confirms' * confirmed}")
    loaded = read()
    rows, unreadable = readable_rows(loaded, rows)
    if unreadable:
        facts["unreadable"] = len(unreadable)
        say_unreadable(unreadable)
    untrained = None if loaded.trained is None else loaded.trained.untrained_in_texts(rows.prefix, loaded.vocab)
    warn_of_untrained(untrained, "equation")
    if loaded.calibration is not None:
        facts["calibrated"] = not raw
    measures, probability = evaluate_verification(loaded, rows, calibrated=not raw)
    measures |= facts | {"untrained": untrained_facts(equations=untrained)}
    if (rows.kind == GOLD).any():
        measures["blanks"] = gold_measures(measures["overall"])
    if out is not None:
        folder = RunFolder(out)
        folder.create()
        folder.write_test(measures, prediction_columns(rows, probability), rows.source)
    return {"source": rows.source, **measures}


def _is_in(corpus: Path, rows: Dataset) -> Any:
    """Return (rows,) whether each equation is in the train or validation split of a corpus, up to trivial changes."""
    import numpy as np

    from treesmu.data import Dataset
    from treesmu.generate.fingerprint import fingerprints

    corpus = corpus_folder(corpus)
    try:
        known = [fingerprints(Dataset.read(corpus, split).iter_expressions()) for split in ("train", "validation")]
        return np.isin(fingerprints(rows.iter_expressions()), np.concatenate(known))
    except ValueError as error:
        raise InputError(f"--unseen {corpus}: {error}") from None


# -- completion --------------------------------------------------------------------------------------------------------


def _complete(
    read: Reader, data: Path, candidates: Path | None, depths: Depths, with_true: bool, dtype: str, out: Path | None
) -> dict[str, Any]:
    from treesmu.training.run_folder import RunFolder

    _check_absent(out, "completion", "ranks")
    blanks, fillers = read_questions(data, candidates)
    blanks = blanks.select(depths)
    if not len(blanks):
        raise InputError(f"{data}: no blanks{_of_depths(depths)}")
    loaded = read(dtype=dtype)
    in_blanks, in_fillers = loaded.untrained(blanks.equations), loaded.untrained(fillers.fillers)
    warn_of_untrained(in_blanks, "blank")
    warn_of_untrained(in_fillers, "candidate")
    from treesmu.tasks.complete import evaluate_completion

    measures, ranks = evaluate_completion(loaded, blanks, fillers, with_true, callback=show_progress(len(blanks)))
    untrained = untrained_facts(blanks=in_blanks, candidates=in_fillers)
    measures = {"source": blanks.source, "dtype": dtype, **measures, "untrained": untrained}
    if out is not None:
        folder = RunFolder(out)
        folder.create()
        folder.write_completion(measures, ranks)
    return measures


def _check_absent(out: Path | None, *names: str) -> None:
    """Raise an InputError if one of the files that are to be written to the folder, by their names in RunFolder, exists."""
    from treesmu.training.run_folder import RunFolder

    files: list[Path] = [] if out is None else [getattr(RunFolder(out), name) for name in names]
    if existing := next((file for file in files if file.exists()), None):
        raise InputError(f"{existing} exists already; choose another folder, or remove it first")


def _of_depths(depths: Depths) -> str:
    return "" if depths is None else " of depth {}".format("-".join(str(d) for d in sorted(set(depths))))
