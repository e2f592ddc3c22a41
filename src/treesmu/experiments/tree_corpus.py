"""TreeCorpus: a corpus of a preset that has no equations but other trees, made by one of our generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from treesmu import __version__
from treesmu.files import sha256_of
from treesmu.generate.other_trees import arithmetic, listops, logic
from treesmu.generate.other_trees.write import Row, write_rows
from treesmu.json_files import write_json

KINDS: dict[str, tuple[str, type, Callable[[Any], Iterable[Row]]]] = {  # name: task, settings, rows
    "listops": ("classify", listops.ListOpsSettings, listops.rows),
    "logic": ("compare", logic.LogicSettings, logic.rows),
    "arithmetic": ("classify", arithmetic.ArithmeticSettings, arithmetic.rows),
}
DEEPEST = 100  # depth, or number of operators
LEAST = {"seed": 0, "modulus": 2}  # value of a setting, where it is not 1


class TreeCorpus:
    """A corpus of trees. given: ``trees``, the name of its generator, and settings of this generator."""

    def __init__(self, given: dict[str, Any]) -> None:
        kind = given["trees"]
        if kind not in KINDS:
            raise ValueError(f"unknown generator of trees {kind!r:.60}; known: {', '.join(KINDS)}; or give a file and its task")
        self.task, settings, self.make_rows = KINDS[kind]
        known = {field.name: field for field in fields(settings)}
        others = {name: value for name, value in given.items() if name != "trees"}
        if unknown := [name for name in others if name not in known]:
            raise ValueError(f"unknown setting {unknown[0]!r} of {kind}; known: {', '.join(known)}")
        for name, value in others.items():
            _check(name, known[name].default, value)
        self.settings = settings(**{name: tuple(v) if isinstance(v, list) else v for name, v in others.items()})

    @property
    def trained(self) -> tuple[int, int]:
        """The depths, or numbers of operators, of training."""
        found: tuple[int, int] = getattr(self.settings, "train_depths", None) or self.settings.train_operators
        return found

    def rows(self, depths: tuple[int, int]) -> int:
        """Raise a ValueError: studies of equations do not use trees."""
        raise ValueError(f"a number of equations of depth {depths[0]}-{depths[1]} needs a corpus of equations")

    def write(self, folder: Path) -> None:
        """Write the corpus into an empty folder: a file for each split, and a manifest."""
        rows = list(self.make_rows(self.settings))
        for split in dict.fromkeys(row["split"] for row in rows):
            write_rows((row for row in rows if row["split"] == split), folder / f"{split}.jsonl")
        write_manifest(folder)


def write_manifest(folder: Path) -> None:
    """Write the manifest of a corpus of trees, which says that the corpus is complete."""
    files = {file.name: {"sha256": sha256_of(file)} for file in sorted(folder.glob("*.jsonl"))}
    write_json(folder / "manifest.json", {"version": __version__, "files": files})


def _check(name: str, default: Any, value: Any) -> None:
    """Raise a ValueError unless a setting is of the kind of its default: a number, or the first and the last of a range."""
    if isinstance(default, tuple):
        is_range = isinstance(value, list | tuple) and len(value) == 2 and all(type(end) is int for end in value)
        if not is_range or not 0 <= value[0] <= value[1] <= DEEPEST:
            raise ValueError(f"{name}: expected [A, B] with 0 <= A <= B <= {DEEPEST}, not {value!r}")
    elif type(value) is not int or value < LEAST.get(name, 1):
        raise ValueError(f"{name}: expected a whole number of at least {LEAST.get(name, 1)}, not {value!r}")
