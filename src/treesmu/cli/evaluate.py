"""The command ``treesmu evaluate``: measure a model on data, overall and by depth."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .tables import ranks as ranks_output
from .tables import verification as verification_output
from .terminal.completion import SPLITS
from .terminal.imports import corpus_folder, read_blanks, read_dataset, say
from .terminal.options import AsJson, Device, InputError, Plugins, choice_of, depth_range, load_plugins, model_file, read_model

if TYPE_CHECKING:
    from treesmu.data import Dataset

Depths = tuple[int, int] | None


def evaluate(
    model: Annotated[Path, typer.Argument(help="A run folder or a file of weights (.safetensors).")],
    data: Annotated[Path, typer.Argument(help="A corpus folder, or a file of equations, of which all rows are measured.")],
    task: Annotated[
        str, choice_of(lambda: ("verify", "complete"), "verify: label equations. complete: rank the fillers of blanks.")
    ] = "verify",
    depths: Annotated[str | None, typer.Option(metavar="A-B", help="Only equations of these depths.")] = None,
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
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="complete: the candidates; by default candidates.parquet of the corpus.")
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
    device: Device = "auto",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Measure a model on data, overall and by depth.

    The data are labelled equations (task verify) or equations with a blank (task complete).

    \b
    Examples:
      treesmu evaluate runs/first corpora/quick --depths 8-13
      treesmu evaluate runs/first corpora/quick --task complete
    """
    load_plugins(plugin)
    if task not in ("verify", "complete"):
        raise InputError(f"--task {task!r}: unknown task; known: verify, complete")
    if task == "verify" and (candidates is not None or no_true or float32):
        raise InputError("--candidates, --no-true and --float32 belong to --task complete; leave them out, or add it")
    if task == "complete" and unseen is not None:
        raise InputError("--unseen belongs to --task verify; leave it out")
    chosen = depth_range(depths)
    model_file(model)  # refused before the data are imported: the two arguments may be swapped
    if task == "verify":
        measures = _verify(model, data, split, chosen, unseen, device, out)
    else:
        measures = _complete(model, data, candidates, chosen, not no_true, "float32" if float32 else "float64", device, out)
    if as_json:
        print(json.dumps(measures, indent=2))
    elif task == "complete":
        print(ranks_output.table(measures))
    else:
        print(verification_output.table(measures))
        if unseen is not None:
            print(f"{measures['left_out']:,} equations are left out: they are in {unseen} as well")


def _verify(
    model: Path, data: Path, split: str, depths: Depths, unseen: Path | None, device: str, out: Path | None
) -> dict[str, Any]:
    from treesmu.training.run_folder import RunFolder

    folder = None if out is None else RunFolder(out)
    if folder is not None:
        _check_absent(folder.test, folder.predictions)
    rows = read_dataset(data, split).select(depths=depths)
    all_rows = len(rows)
    rows = rows if unseen is None else rows.take(~_is_in(unseen, rows))
    if not (rows.label >= 0).any():
        absent = f" that are not in {unseen}" if unseen else ""
        raise InputError(f"{data}: no labelled equations{_of_depths(depths)}{absent}")
    counts = {} if unseen is None else {"left_out": all_rows - len(rows)}
    loaded = read_model(model, device)
    from treesmu.importing.report import count_of
    from treesmu.tasks.verify import evaluate_verification, readable_rows

    rows, unreadable = readable_rows(loaded, rows)
    measures, probability = evaluate_verification(loaded, rows)
    measures |= counts
    if unreadable:
        measures["unreadable"] = len(unreadable)
        are = "which is" if len(unreadable) == 1 else "which are"
        say(f"the model cannot read {count_of(len(unreadable), 'equation')}, {are} left out: {unreadable[0]}")
    if folder is not None:
        folder.create()
        folder.write_test(measures, probability, rows)
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


def _complete(
    model: Path, data: Path, candidates: Path | None, depths: Depths, with_true: bool, dtype: str, device: str, out: Path | None
) -> dict[str, Any]:
    from treesmu.data.corpus.blanks import Candidates, holds_blanks
    from treesmu.training.run_folder import RunFolder

    folder = None if out is None else RunFolder(out)
    if folder is not None:
        _check_absent(folder.completion, folder.ranks)
    data = data if holds_blanks(data) else corpus_folder(data)
    blanks = read_blanks(data).select(depths)
    if not len(blanks):
        raise InputError(f"{data}: no blanks{_of_depths(depths)}")
    fillers = Candidates.read(candidates or _candidates_of(data))
    loaded = read_model(model, device, dtype)
    from treesmu.tasks.complete import evaluate_completion

    measures, ranks = evaluate_completion(loaded, blanks, fillers, with_true, callback=_show_progress(len(blanks)))
    measures = {"source": blanks.source, "dtype": dtype, **measures}
    if folder is not None:
        folder.create()
        folder.write_completion(measures, ranks)
    return measures


def _candidates_of(data: Path) -> Path:
    """Return the file of candidates of the same corpus."""
    file = (data if data.is_dir() else data.parent) / "candidates.parquet"
    if not file.exists():
        raise InputError(f"{file}: there is no such file; name the candidates: --candidates FILE")
    return file


def _show_progress(total: int) -> Callable[[str, int], None]:
    """Return a callback that shows the progress in one line, on a terminal only."""

    def show(action: str, done: int) -> None:
        if sys.stderr.isatty():
            end = "\r\033[K" if (action, done) == ("checked", total) else ""
            print(f"\r{action} {done:,} of {total:,} blanks\033[K{end}", end="", file=sys.stderr, flush=True)

    return show


def _check_absent(*files: Path) -> None:
    if existing := next((file for file in files if file.exists()), None):
        raise InputError(f"{existing} exists already; choose another folder, or remove it first")


def _of_depths(depths: Depths) -> str:
    return "" if depths is None else " of depth {}".format("-".join(str(d) for d in sorted(set(depths))))
