"""``treesmu evaluate`` for models of trees: measures of a class or a number, overall and by depth."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .tables.trees import table
from .terminal.messages import print_text
from .terminal.options import InputError

if TYPE_CHECKING:
    from treesmu.data.tree_files.table import TreeTable
    from treesmu.models.trees.tree_model import TreeModel

KNOWN_SPLITS = ("test", "validation", "train", "all")


def task_of_trees(file: Path) -> str | None:
    """Return the task of a file of weights if its model is one of trees; None for any other file."""
    from treesmu.errors import DataError
    from treesmu.models.weights_file import read_weights

    try:
        _, metadata = read_weights(file)
        found: str = metadata["task"]["answer_kind"]["task"]
    except (DataError, KeyError, TypeError):  # a faulty file is refused when it is loaded
        return None
    return found


def refuse_options(task: str, given: str, **options: Any) -> None:
    """Raise an InputError for options that are only for equations."""
    if given == "complete":
        raise InputError(f"--task complete: this model was trained to {task} trees, and is measured on that; leave it out")
    if wrong := next((name for name, value in options.items() if value), None):
        raise InputError(f"--{wrong} is for models of equations; this one was trained to {task} trees")


def evaluate_trees(
    file: Path, data: Path, split: str, depths: tuple[int, int] | None, device: str, out: Path | None, as_json: bool
) -> None:
    """Print the measures of a model on a file of trees; write them and the predictions to ``out`` if it is given."""
    import torch

    from treesmu.models.store import load_tree_model
    from treesmu.tasks.trees.make import make_tree_task
    from treesmu.training.run_folder import RunFolder

    torch.set_num_threads(1)
    model = load_tree_model(file, device)
    rows = _rows(model, data, split, depths)
    measures, columns = make_tree_task(model.answer_kind.task).evaluate(model, rows)
    measures = {"task": model.answer_kind.task, **measures}
    if out is not None:
        folder = RunFolder(out)
        folder.create()
        folder.write_test(measures, columns, rows.source)
    measures = {"source": rows.source, **measures}
    print_text(json.dumps(measures, indent=2) if as_json else table(measures))


def _rows(model: TreeModel, data: Path, split: str, depths: tuple[int, int] | None) -> TreeTable:
    """Return the rows to measure; an InputError if there are none, or none with an answer."""
    from treesmu.tasks.trees.answers import check_answers, count_answers

    rows, note = _rows_of_split(model, data, split)
    rows = rows.select(depths)
    wanted = "" if depths is None else " of depth {}-{}".format(*depths)
    if not len(rows):
        raise InputError(f"{data}: no trees{wanted} in the split {split}; see the columns split and depth, or --split all")
    check_answers(rows, model.answer_kind.task, is_needed=False)
    if not count_answers(rows, model.answer_kind):
        column = "tags" if model.answer_kind.task == "tag" else "label"
        raise InputError(f"{data}: no labelled trees{wanted} in the split {split}; give {column!r} to measure by")
    if note:
        print(note, file=sys.stderr)
    return rows


def _rows_of_split(model: TreeModel, data: Path, split: str) -> tuple[TreeTable, str]:
    """Return the rows of a split: of the run's own data as the run divided them, otherwise as the file says; and a note."""
    from treesmu.training.tree_data import read_tree_source, splits_of_run

    if split not in KNOWN_SPLITS:
        raise InputError(f"--split {split!r}: unknown split; known: {', '.join(KNOWN_SPLITS)}")
    table, files = read_tree_source(data)
    if split == "all":
        return table, ""
    if (splits := splits_of_run(model.note, table, files)) is not None:
        return getattr(splits, split), ""
    if split == "test" and not (table.split != "").any():
        return table, f"{data}: has no splits, and is not what the model was trained on: all rows are measured"
    return table.take(table.split == split), ""
