"""Targets: each takes any bytes, and must accept them or refuse them with the documented error; everything else is a bug.

A target returns whether it accepted the input. It raises what it found: an AssertionError, or the exception of a reader.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from treesmu.errors import DataError
from treesmu.expr import Expr, ParseError, infix, latex, parse

Target = Callable[[bytes], bool]
MOST_DECODED = 20_000  # characters of an expression: longer ones are tests of their own


def expression(data: bytes) -> bool:
    """Read a text as an expression; what is read must be read again from both notations that are printed."""
    text = data.decode("utf-8", "replace")[:MOST_DECODED]
    found: Expr | ParseError
    try:
        found = parse(text)
    except ParseError as error:
        found = error
    if isinstance(found, ParseError):
        assert 0 <= found.position <= len(text)
        assert len(found.message) < 500
        return False
    assert parse(infix(found)) is parse(latex(found)) is found
    return True


# -- files -----------------------------------------------------------------------------------------------------------------


def _attempt(read: Callable[[Path], object], path: Path) -> bool:
    """Return whether a reader accepts a file; its error must be one line that names the file."""
    said = ""
    try:
        read(path)
    except DataError as error:
        said = str(error)
    assert "\n" not in said, said
    assert not said or path.name in said, said
    assert len(said) < 3000, len(said)
    return not said


def _file(suffix: str, *names: str) -> Target:
    """Return a target that gives the bytes, as a file with this suffix, to readers of READERS."""

    def target(data: bytes) -> bool:
        with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
            path = Path(folder) / f"input{suffix}"
            path.write_bytes(data)
            accepted = [_attempt(READERS[name], path) for name in names]
        return any(accepted)

    return target


def _dataset(path: Path) -> None:
    from treesmu.data import Dataset

    list(Dataset.read(path, with_infix=True).iter_expressions())


def _import(path: Path) -> None:
    from treesmu.importing.parsing import parse_rows
    from treesmu.importing.readers import open_source
    from treesmu.importing.settings import ImportSettings
    from treesmu.importing.sources import find_sources

    (source,) = find_sources([path])
    rows = open_source(source, ImportSettings()).rows
    while chunk := list(islice(rows, 100)):
        parse_rows(chunk, ImportSettings())


def _candidates(path: Path) -> None:
    from treesmu.data import Candidates

    Candidates.read(path)


def _blanks(path: Path) -> None:
    from treesmu.data import Blanks

    Blanks.read(path).questions()


def _trees(path: Path) -> None:
    from treesmu.data.tree_files.read import read_trees

    read_trees(path)


def _model(path: Path) -> None:
    from treesmu.models.store import load_model

    load_model(path)


def _settings(path: Path) -> None:
    from treesmu.training.settings import TrainSettings, read_settings

    given = read_settings(path)
    try:
        TrainSettings.of(**given)
    except DataError as error:  # names the setting; the command adds nothing, since options may have set it
        raise DataError(f"{path}: {error}") from error


def _preset(path: Path) -> None:
    from treesmu.experiments.preset import Preset

    Preset.read(str(path))


READERS: dict[str, Callable[[Path], None]] = {
    "dataset": _dataset, "import": _import, "candidates": _candidates, "blanks": _blanks, "trees": _trees, "model": _model,
    "settings": _settings, "preset": _preset,
}  # fmt: skip


# -- requests of the explorer ---------------------------------------------------------------------------------------------


def request(data: bytes) -> bool:
    """Read the body of a request: a model of pydantic accepts or refuses it, and the text is read or refused."""
    from pydantic import ValidationError

    from treesmu.web import reading, requests
    from treesmu.web.refusal import Refusal

    accepted = False
    for kind in (requests.ReadRequest, requests.ModelRequest, requests.NeighboursRequest, requests.CompleteRequest):
        try:
            given = kind.model_validate_json(data)
        except ValidationError:
            continue
        for read in (reading.read_text, reading.read_complete, reading.read_equation, reading.read_question):
            try:
                reading.describe(read(given.text)).model_dump_json()
                accepted = True
            except Refusal as refusal:
                refusal.answer.model_dump_json()
    return accepted


TARGETS: dict[str, Target] = {
    "expression": expression,
    "text": _file(".txt", "import", "candidates"),
    "csv": _file(".csv", "dataset", "import"),
    "tsv": _file(".tsv", "dataset", "import"),
    "jsonl": _file(".jsonl", "dataset", "import"),
    "json": _file(".json", "dataset", "import", "candidates", "blanks"),
    "parquet": _file(".parquet", "dataset", "import", "candidates", "blanks", "trees"),
    "trees": _file(".jsonl", "trees"),
    "brackets": _file(".txt", "trees"),
    "weights": _file(".safetensors", "model"),
    "settings": _file(".toml", "settings"),
    "preset": _file(".toml", "preset"),
    "request": request,
}
GROUPS = {"parser": ("expression",), "readers": tuple(name for name in TARGETS if name not in ("expression", "request"))}
GROUPS |= {"requests": ("request",)}
