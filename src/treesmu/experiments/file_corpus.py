"""FileCorpus: a corpus of a preset that is made of files which the user has, and the package has not."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from treesmu import __version__
from treesmu.data import Blanks, Dataset
from treesmu.expr import Expr, check_many
from treesmu.files import is_inside, sha256_of
from treesmu.generate.splits import RunInOrder
from treesmu.importing.corpus import TABLE, import_table
from treesmu.importing.settings import ImportSettings
from treesmu.importing.sources import find_sources
from treesmu.json_files import write_json
from treesmu.parquet_files import describe_table

from .depth_range import DepthRange

FILE_FIELDS = ("files", "test_files", "blank_files")
_TRIES = 10  # wrong answers to a blank that are checked, until one is incorrect


class MissingFileError(ValueError):
    """A file of the corpus is not at hand."""


class FileCorpusSettings(BaseModel):
    """What a preset says of the corpus. Names of files may be patterns, such as ``*_blank_*.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: tuple[str, ...] = ()  # of equations, divided into train, validation and test
    test_files: tuple[str, ...] = ()  # of equations, all for the test
    blank_files: tuple[str, ...] = ()  # of blanks, whose equations are for the test, each also with a wrong answer
    depths: DepthRange = (1, 7)  # of the equations that are divided; all others are for the test
    validation: float = Field(0.1, gt=0, lt=0.5)  # share of the equations of these depths
    test: float = Field(0.1, ge=0, lt=0.5)
    seed: int = Field(0, ge=0)  # of the division


class FileCorpus:
    """A corpus of files, which is imported instead of generated. A file that is not in any folder is a MissingFileError.

    Equations are divided at random. The same equation is in one split only, once; but an equation of the test may be one of the
    training set with its terms in another order, as in the data of the paper.
    """

    def __init__(self, settings: FileCorpusSettings, folders: Sequence[Path]) -> None:
        self.settings = settings
        self.paths = {field: find_files(getattr(settings, field), folders) for field in FILE_FIELDS}

    def content(self) -> dict[str, Any]:
        """Return what plan.json says of it: other files are another corpus."""
        found = {path.name: sha256_of(path) for paths in self.paths.values() for path in paths}
        return {"preset": "files", **self.settings.model_dump(mode="json"), "sha256": found}

    def rows(self, depths: tuple[int, int]) -> int:
        """Raise a ValueError: how many equations files have is known once they are imported, and runs are planned before."""
        raise ValueError(f"a number or share of equations of depth {depths[0]}-{depths[1]} needs a corpus that is generated")

    def write(self, folder: Path, run: RunInOrder) -> None:
        """Write the corpus into an empty folder. Where all files are for the test, it has no other split."""
        parts = [_imported(self.paths[field], folder, run) for field in FILE_FIELDS[:2]]
        if blanks := self.paths["blank_files"]:
            parts.append(_of_blanks([Blanks.read(path) for path in blanks], self.settings.seed))
        seen: set[str] = set()
        divided, *for_test = (_new_rows(data, seen) for data in parts)
        splits = _divide(divided, self.settings)
        splits["test"] = _joined([splits["test"], *for_test])
        for name, data in splits.items():
            if len(data):
                replace(data, split=np.full(len(data), name)).write(folder / f"{name}.parquet")
        files = {path.name: describe_table(path) for path in sorted(folder.glob("*.parquet"))}
        write_json(folder / "manifest.json", {"version": __version__, "settings": self.content(), "files": files})


def find_files(names: tuple[str, ...], folders: Sequence[Path]) -> list[Path]:
    """Return the files with these names, each from the first folder that has it."""
    found: list[Path] = []
    for name in names:
        if not is_inside(name):
            raise ValueError(f"{name!r} is not the name of a file in a folder that is given with --files")
        here = next((files for folder in folders if (files := sorted(folder.glob(name)))), [])
        if not here:
            where = f"is not in {', '.join(map(str, folders))}" if folders else "was not given; name its folder with --files"
            raise MissingFileError(f"{name} {where}")
        found += here
    return found


def _imported(paths: list[Path], within: Path, run: RunInOrder) -> Dataset:
    """Return all equations of some files. within: a folder for temporary files, which is removed if this process is killed."""
    if not paths:
        return Dataset.of([], [])
    with tempfile.TemporaryDirectory(dir=within) as folder:
        import_table(find_sources(paths), ImportSettings(), Path(folder), run)
        return Dataset.read(Path(folder) / TABLE).select(labels=(0, 1))


def _of_blanks(blanks: list[Blanks], seed: int) -> Dataset:
    """Return the equations that the numeric check confirms, and each with the answer to another blank that makes it wrong."""
    rng = np.random.default_rng(seed)
    pairs = [pair for one in blanks for pair in zip(one.equations, one.paths, strict=True)]
    answers = list(dict.fromkeys(e.at(path) for e, path in pairs))
    verdicts = check_many(e for e, _ in pairs)
    true = [pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict.label == "correct"]
    false: dict[Expr, Expr] = {}  # by the true equation
    for e, path in true:
        filled = [e.replace(path, answers[k]) for k in rng.integers(len(answers), size=_TRIES).tolist()]
        wrong = next((one for one, v in zip(filled, check_many(filled), strict=True) if v.label == "incorrect"), None)
        if wrong is not None:
            false.setdefault(e, wrong)
    gold = Dataset.of((e for e, _ in true), [1] * len(true), "gold")
    return _joined([gold, Dataset.of(false.values(), [0] * len(false), "wrong answer")])


def _new_rows(data: Dataset, seen: set[str]) -> Dataset:
    """Return the rows whose equation is not among those seen, each once, and add them to those seen."""
    keep = []
    for place, text in enumerate(data.prefix.to_pylist()):
        if text not in seen:
            seen.add(text)
            keep.append(place)
    return data.take(np.array(keep, np.int64))


def _divide(data: Dataset, settings: FileCorpusSettings) -> dict[str, Dataset]:
    """Return the rows of each split, in their order."""
    low, high = settings.depths
    is_divided = (low <= data.depth) & (data.depth <= high)
    shuffled = np.random.default_rng(settings.seed).permutation(np.flatnonzero(is_divided))
    bounds = np.cumsum([round(share * len(shuffled)) for share in (settings.validation, settings.test)])
    validation, test, train = np.split(shuffled, bounds)
    rows = {"train": train, "validation": validation, "test": np.concatenate([test, np.flatnonzero(~is_divided)])}
    return {name: data.take(np.sort(places)) for name, places in rows.items()}


def _joined(parts: list[Dataset]) -> Dataset:
    import pyarrow as pa

    names = ("label", "depth", "size", "chain", "kind", "split", "row")
    columns = {name: np.concatenate([getattr(data, name) for data in parts]) for name in names}
    return Dataset(parts[0].source, prefix=pa.concat_arrays([data.prefix for data in parts]), **columns)
