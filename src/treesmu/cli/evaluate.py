"""treesmu evaluate: how good is a model, overall and by depth?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .terminal.options import AsJson, InputError, depth_range, read_model

SHARES = ("accuracy", "precision", "recall", "specificity", "f1")
RANKS = ("raw", "class", "collapse", "true")


def evaluate(
    model: Annotated[Path, typer.Argument(help="A run folder, or a file of weights (.safetensors).")],
    data: Annotated[Path, typer.Argument(help="A corpus folder, or a Parquet, JSONL or authors' JSON file.")],
    task: Annotated[str, typer.Option(help="verify: is an equation correct? complete: what stands in a blank?")] = "verify",
    depths: Annotated[str | None, typer.Option(help="Only equations of these depths, A-B.")] = None,
    split: Annotated[str, typer.Option(help="verify: of a corpus folder, test, validation or train.")] = "test",
    unseen: Annotated[
        Path | None,
        typer.Option(help="verify: leave out what this corpus has for training or validation, up to names, sides and order."),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option(help="complete: what blanks are filled with; by default the corpus's candidates.parquet.")
    ] = None,
    no_true: Annotated[
        bool, typer.Option("--no-true", help="complete: do not check which fillers are true, which takes longest.")
    ] = False,
    float32: Annotated[
        bool, typer.Option("--float32", help="complete: quicker, but what is nearly equal may be ranked otherwise.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the measures (JSON) and what they come from (Parquet).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """All measures of a model on labelled equations or on blanks, overall and by depth."""
    if task not in ("verify", "complete"):
        raise InputError(f"--task {task!r}: unknown task; known: verify, complete")
    if task == "verify" and (candidates is not None or no_true or float32):
        raise InputError("--candidates, --no-true and --float32 belong to --task complete; leave them out, or give it")
    if task == "complete" and unseen is not None:
        raise InputError("--unseen belongs to --task verify; leave it out")
    chosen = depth_range(depths)
    if task == "verify":
        _verify(model, data, split, chosen, unseen, out, as_json)
    else:
        _complete(model, data, candidates, chosen, not no_true, "float32" if float32 else "float64", out, as_json)


def _named(depths: tuple[int, int] | None) -> str:
    return "" if depths is None else " of depth {}".format("-".join(str(d) for d in sorted(set(depths))))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


# -- verification ------------------------------------------------------------------------------------------------------


def _verify(
    model: Path, data: Path, split: str, depths: tuple[int, int] | None, unseen: Path | None, out: Path | None, as_json: bool
) -> None:
    from treesmu.data import Dataset
    from treesmu.training.run_folder import RunFolder

    folder = None if out is None else RunFolder(out)
    if folder is not None:
        _require_absent(folder.test, folder.predictions)
    rows = Dataset.read(data, split).select(depths=depths)
    all_rows = len(rows)
    rows = rows if unseen is None else rows.take(~_known(rows, unseen))
    if not (rows.label >= 0).any():
        raise InputError(f"{data}: no labelled equations{_named(depths)}{' that are not in ' + str(unseen) if unseen else ''}")
    loaded = read_model(model)
    from treesmu.tasks.verify import evaluate_verification

    found, probability = evaluate_verification(loaded, rows)
    found |= {} if unseen is None else {"left_out": all_rows - len(rows)}
    if folder is not None:
        folder.create()
        folder.write_test(found, probability, rows)
    print(json.dumps({"source": rows.source, **found}, indent=2) if as_json else _verify_table(found))
    if unseen is not None and not as_json:
        print(f"{found['left_out']:,} equations are left out: they are in {unseen}, too")


def _known(rows: Any, corpus: Path) -> Any:
    """(rows,) Whether an equation is one of those that a corpus is for training and choosing models on."""
    import numpy as np

    from treesmu.data import Dataset
    from treesmu.generate.fingerprint import fingerprints

    try:
        known = [fingerprints(Dataset.read(corpus, split).iter_expressions()) for split in ("train", "validation")]
        return np.isin(fingerprints(rows.iter_expressions()), np.concatenate(known))
    except ValueError as error:
        raise InputError(f"--unseen {corpus}: {error}") from None


def _require_absent(*files: Path) -> None:
    if taken := next((file for file in files if file.exists()), None):
        raise InputError(f"{taken} exists already; choose another folder, or remove it first")


def _verify_table(found: dict[str, Any]) -> str:
    """Shares in per cent, a line a depth and one for all."""
    lines = ["depth  equations  accuracy  precision   recall  specificity     f1  log loss  calibration error"]
    for name, row in [*found["by_depth"].items(), ("all", found["overall"])]:
        widths = zip(SHARES, (10, 11, 9, 13, 7), strict=True)
        shares = "".join(f"{_percent(row[key]):>{width}}" for key, width in widths)
        lines.append(
            f"{name:>5} {row['equations']:>10,}{shares}{row['log_loss']:>10.3f}{_percent(row['calibration_error']):>19}"
        )
    return "\n".join(lines)


# -- completion --------------------------------------------------------------------------------------------------------


def _complete(
    model: Path,
    data: Path,
    candidates: Path | None,
    depths: tuple[int, int] | None,
    true: bool,
    dtype: str,
    out: Path | None,
    as_json: bool,
) -> None:
    from treesmu.data import Blanks, Candidates
    from treesmu.training.run_folder import RunFolder

    folder = None if out is None else RunFolder(out)
    if folder is not None:
        _require_absent(folder.completion, folder.ranks)
    blanks = Blanks.read(data).select(depths)
    if not len(blanks):
        raise InputError(f"{data}: no blanks{_named(depths)}")
    fillers = Candidates.read(candidates or _beside(data))
    loaded = read_model(model, dtype)
    from treesmu.tasks.complete import evaluate_completion

    found, ranks = evaluate_completion(loaded, blanks, fillers, true, callback=_progress(len(blanks)))
    found = {"source": blanks.source, "dtype": dtype, **found}
    if folder is not None:
        folder.create()
        folder.write_completion(found, ranks)
    print(json.dumps(found, indent=2) if as_json else _complete_table(found))


def _beside(data: Path) -> Path:
    """The candidates of the same corpus."""
    found = (data if data.is_dir() else data.parent) / "candidates.parquet"
    if not found.exists():
        raise InputError(f"{found}: there is no such file; name the candidates: --candidates FILE")
    return found


def _progress(total: int) -> Callable[[str, int], None]:
    """On a terminal a line that moves."""

    def show(what: str, done: int) -> None:
        if sys.stderr.isatty():
            end = "\r\033[K" if (what, done) == ("checked", total) else ""
            print(f"\r{what} {done:,} of {total:,} blanks\033[K{end}", end="", file=sys.stderr, flush=True)

    return show


def _complete_table(found: dict[str, Any]) -> str:
    """Shares in per cent, a line a depth; then all, their intervals, and the ranking without a model."""
    overall = found["overall"]
    names = [name for name in RANKS if name in overall]
    lines = [
        f"{'':13}" + "".join(f"  {name:^20}" for name in names).rstrip(),
        f"depth  blanks{'  top-1  top-5    MRR ' * len(names)}".rstrip(),
    ]
    rows = [*found["by_depth"].items(), ("all", overall)]
    lines += [f"{depth:>5}  {row['blanks']:>6,}{_shares(row, names)}" for depth, row in rows]
    lines += [f"{'±':>13}{_halves(overall, names)}", f"{'prior':>13}{_shares(overall['prior'], names)}"]
    facts = found["candidates"]
    lines.append(
        f"{facts['fillers']:,} candidates in {facts['classes']:,} classes; prior: {found['prior']}; ±: half of the 95% interval"
    )
    left_out = found["left_out"]
    if any(left_out.values()):
        lines.append(
            f"left out, since the model's vocabulary lacks something in them: {left_out['blanks']:,} blanks, "
            f"{left_out['candidates']:,} candidates"
        )
    if overall["no_candidate"]:
        lines.append(f"{overall['no_candidate']:,} answers are no candidates, and count as not found")
    if "verified" in overall:
        share, holds = _percent(overall["verified"]), overall["holds"]
        lines.append(
            f"a true filler among the first {found['search']:,}: {share}% of the {holds:,} blanks whose own equation holds"
        )
    return "\n".join(lines)


def _shares(row: dict[str, Any], names: list[str]) -> str:
    values = [value for name in names for value in (row[name]["top"][0], row[name]["top"][4], row[name]["mrr"])]
    return _columns(values)


def _halves(row: dict[str, Any], names: list[str]) -> str:
    intervals = [pair for name in names for pair in (*row[name]["top_interval"][:5:4], row[name]["mrr_interval"])]
    return _columns([(high - low) / 2 for low, high in intervals])


def _columns(values: list[float]) -> str:
    return "".join(f"{_percent(value):>7}{' ' if k % 3 == 2 else ''}" for k, value in enumerate(values)).rstrip()
