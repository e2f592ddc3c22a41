"""The command ``treesmu fit-prior``: let a model rank fillers by how common their values are in training, too."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .terminal.imports import corpus_folder
from .terminal.messages import print_text
from .terminal.options import AsJson, Device, Plugins, load_plugins, model_to_change, read_model

if TYPE_CHECKING:
    from treesmu.tasks.fit_prior import FittedPrior


def fit_prior(
    model: Annotated[Path, typer.Argument(help="A run folder or a file of weights (.safetensors).")],
    corpus: Annotated[Path, typer.Argument(help="The corpus that the model was trained on.")],
    blanks: Annotated[int, typer.Option(metavar="N", min=1, help="Put blanks into this many validation equations.")] = 400,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the choice of blanks.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a new file instead of changing the model's.")] = None,
    device: Device = "auto",
    plugin: Plugins = None,
    as_json: AsJson = False,
) -> None:
    """Fit how much it counts for completion that a value is common in training.

    Fillers are then ranked by logit + weight * log(1 + count), where count is how often the value of a filler occurs in the
    training equations. The weight is the one that ranks the answers of blanks in validation equations best. Counts and weight
    are stored in the model's file; its weights stay as they are.

    \b
    Examples:
      treesmu fit-prior runs/first corpora/quick
    """
    load_plugins(plugin)
    with model_to_change(model, out) as (source, written):
        import numpy as np

        from treesmu.data import Candidates, Dataset
        from treesmu.data.corpus.new_blanks import make_blanks

        folder = corpus_folder(corpus)
        candidates = Candidates.read(folder)
        questions = make_blanks(Dataset.read(folder, "validation"), candidates, blanks, np.random.default_rng(seed))
        loaded = read_model(model, device, "float32")
        from treesmu.models.store import load, save
        from treesmu.tasks.fit_prior import fit_prior as fit

        fitted = fit(loaded, questions, candidates, callback=_show_progress(len(questions)))
        stored = load(source)  # in the precision of the file, which must not change
        stored.prior = fitted.prior
        save(stored, written)
    if as_json:
        print(json.dumps({"file": str(written), **_facts(fitted), "by_weight": fitted.by_weight}, indent=2))
        return
    facts = _facts(fitted)
    print_text(f"weight {facts['weight']:g}   {facts['values']:,} values   {facts['blanks']:,} validation blanks")
    means = f"{facts['plain']:.3f} by logits alone, {facts['fitted']:.3f} with the prior"
    print_text(f"mean reciprocal rank of the answer's value: {means}")
    print_text(f"-> {written}")


def _facts(fitted: FittedPrior) -> dict[str, float]:
    weight = fitted.prior.weight
    measured = {"plain": fitted.by_weight[0.0], "fitted": fitted.by_weight[weight]}
    return {"weight": weight, "values": len(fitted.prior.counts), "blanks": fitted.blanks, **measured}


def _show_progress(total: int) -> Callable[[int], None]:
    """Return a callback that shows the progress in one line, on a terminal only."""

    def show(done: int) -> None:
        if sys.stderr.isatty():
            end = "\r\033[K" if done == total else ""
            print(f"\rranked {done:,} of {total:,} blanks\033[K{end}", end="", file=sys.stderr, flush=True)

    return show
