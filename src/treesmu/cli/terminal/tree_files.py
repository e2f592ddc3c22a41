"""Files of trees on the command line: the tasks that they are for, and what is said if a file is taken for equations."""

from __future__ import annotations

import json
from pathlib import Path

from treesmu.task_names import TREE_TASKS

from .options import InputError

FIRST_BYTES = 1 << 16


def refuse_trees(path: Path) -> Path:
    """Return the path of equations; raise an InputError if its first line is a row of trees."""
    if path.suffix in (".jsonl", ".ndjson") and path.is_file():
        with path.open("rb") as file:
            line = file.read(FIRST_BYTES).partition(b"\n")[0]
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict) and ("tree" in row or {"left", "right"} <= row.keys()) and "infix" not in row:
            raise InputError(f"{path}: has trees, not equations; say what is to be learned: --task {', '.join(TREE_TASKS)}")
    return path
