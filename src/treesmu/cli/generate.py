"""The command ``treesmu generate``: make a corpus of equations with checked labels."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from treesmu import __version__
from treesmu.errors import cannot_write

from .terminal.completion import corpus_presets
from .terminal.messages import print_text, say
from .terminal.options import Address, AsJson, Engine, InputError, check_engine, choice_of, depth_range


def generate(
    out: Annotated[Path, typer.Argument(help="The new corpus folder.")],
    preset: Annotated[
        str, choice_of(corpus_presets, "quick, paper, hard or published; see docs/explanation/generating.md.")
    ] = "quick",
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    train_size: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of training equations.")] = None,
    validation_size: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of validation equations.")] = None,
    per_depth: Annotated[int | None, typer.Option(metavar="N", min=2, help="Number of test equations at each depth.")] = None,
    depths: Annotated[str | None, typer.Option(metavar="A-B", help="Depths of training and validation equations.")] = None,
    test_depths: Annotated[str | None, typer.Option(metavar="A-B", help="Depths of test equations.")] = None,
    families: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Families of identities, separated by commas; algebra:2 is chosen twice as often."),
    ] = None,
    axioms: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A file with identities of your own. Repeatable.")
    ] = None,
    negatives: Annotated[
        str | None,
        typer.Option(metavar="KINDS", help="How incorrect equations are made, of near-miss, mutation, slip, filler."),
    ] = None,
    test_negatives: Annotated[
        str | None, typer.Option(metavar="KINDS", help="The same for the test set; by default as --negatives.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="HOW", help="Preset published: checked, or derived as in the original (some are wrong)."),
    ] = None,
    test_pools: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Preset published: larger pools for the test, as in the paper, or the same as in training."
        ),
    ] = None,
    close: Annotated[
        str | None,
        typer.Option(metavar="LEAKS", help="Preset published: leaks to close, of lopsided, seen-sides, padding, functions."),
    ] = None,
    numeric: Annotated[
        float | None,
        typer.Option(metavar="SHARE", min=0, max=0.49, help="Share of numeric equations, such as sin(2.5) = 0.598."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of processes; by default one per core.")] = None,
    engine: Engine = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Generate a corpus of equations, with every label checked (but see the preset published).

    The folder has Parquet files (train, validation, test, blanks, candidates), manifest.json and a dataset card, README.md;
    docs/reference/corpus.md describes them. The same seed gives the same bytes, for any number of processes.

    \b
    Examples:
      treesmu generate corpora/quick
      treesmu generate corpora/large --preset hard --train-size 1000000
    """
    from treesmu.engine import default_jobs, open_executor
    from treesmu.files import fresh_folder
    from treesmu.generate.corpus import generate_corpus
    from treesmu.generate.write import write_corpus

    changes: dict[str, Any] = {
        "seed": seed, "train_size": train_size, "validation_size": validation_size, "per_depth": per_depth,
        "depths": depth_range(depths), "test_depths": depth_range(test_depths), "numeric": numeric,
        "axiom_files": tuple(axioms) if axioms else None, **_families(families),
        "labels": labels, "test_pools": test_pools, "closed": _words(close),
        "negatives": _words(negatives), "test_negatives": _words(test_negatives) or _words(negatives),
    }  # fmt: skip
    check_engine(engine, address)
    settings = _settings(preset, {name: value for name, value in changes.items() if value is not None})
    progress = _CorpusProgress(is_quiet=as_json)
    try:
        with fresh_folder(out) as folder, open_executor(engine, jobs or default_jobs(), address) as executor:
            corpus = generate_corpus(settings, executor.in_order, progress)
            manifest = write_corpus(corpus, folder, __version__)
    except FileExistsError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise cannot_write(out, error) from None
    progress.finish()
    _report_shortage(manifest)
    if as_json:
        print(json.dumps(manifest, indent=1))
        return
    rows = {name: facts["rows"] for name, facts in manifest["files"].items()}
    counts = ", ".join(f"{n:,} {name.removesuffix('.parquet')}" for name, n in rows.items())
    print_text(f"{counts} -> {out}")
    name = shlex.quote(str(out))
    print_text(f"next: treesmu data show {name}    treesmu data stats {name} --probe")


def _settings(preset: str, changes: dict[str, Any]) -> Any:
    from pydantic import ValidationError

    from treesmu.generate.axioms import AxiomError, collect_axioms, read_files
    from treesmu.generate.settings import corpus_settings
    from treesmu.training.settings import first_error

    try:
        settings = corpus_settings(preset, **changes)
        if settings.way == "chains":
            collect_axioms(settings.families, read_files(settings.axiom_files))
        return settings
    except ValidationError as error:
        raise InputError(first_error(error)) from None
    except (AxiomError, ValueError) as error:
        raise InputError(str(error)) from None


def _report_shortage(manifest: dict[str, Any]) -> None:
    """Print which splits have fewer rows than requested: there are only few different shallow equations."""
    for split, requested in manifest["wanted"].items():
        made = manifest["files"][f"{split}.parquet"]["rows"]
        if made < requested:
            reason = "there are few different shallow equations"
            say(f"{split}: {requested:,} equations requested, {made:,} made ({reason})")


def _families(text: str | None) -> dict[str, Any]:
    """Return the settings of ``--families``: the names and, where given, their weights."""
    if text is None:
        return {}
    pairs = [word.partition(":") for word in _words(text) or ()]
    try:
        weights = tuple((name, float(weight)) for name, colon, weight in pairs if colon)
    except ValueError:
        raise InputError(
            f"families {text!r}: expected names, optionally with weights, such as algebra:2,trigonometry"
        ) from None
    return {"families": tuple(name for name, _, _ in pairs), "weights": weights}


def _words(text: str | None) -> tuple[str, ...] | None:
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text is not None else None


class _CorpusProgress:
    """The progress and the remaining time in one line, on a terminal only."""

    def __init__(self, is_quiet: bool) -> None:
        self.is_shown = not is_quiet and sys.stderr.isatty()
        self.split, self.start = "", time.perf_counter()

    def __call__(self, split: str, rows: int, wanted: int) -> None:
        if not self.is_shown:
            return
        if split != self.split:
            self.finish()
            self.split, self.start = split, time.perf_counter()
        rate = rows / max(1e-3, time.perf_counter() - self.start)
        left = (wanted - rows) / max(rate, 1e-3)
        print(
            f"\r{split:10} {rows:>9,} of {wanted:,}  {rate:,.0f}/s  {left:,.0f} s left   ", end="", file=sys.stderr, flush=True
        )

    def finish(self) -> None:
        if self.is_shown and self.split:
            print(file=sys.stderr)
