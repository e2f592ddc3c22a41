"""``treesmu.fit``: from trees and labels in memory to a trained model, by the trainer that the command line uses."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from treesmu.data import DataError
from treesmu.data.tree_files.read import list_of, plain
from treesmu.data.tree_files.table import TreeTable, joined
from treesmu.files import temporary_folder
from treesmu.models.store import load_tree_model
from treesmu.models.trees.predictor import TreePredictor, table_of

from .drawn_splits import draw_rows
from .random_streams import SPLIT, rng_for
from .run_folder import RunFolder
from .settings import TrainSettings
from .trainer import Callback, Trainer

FEW_ROWS = 50  # with fewer, all rows are used for validation too


def fit(
    trees: Iterable[Any],
    labels: Iterable[Any] | None = None,
    model: str = "tree-smu",
    *,
    task: str | None = None,
    tags: Iterable[Any] | None = None,
    hidden: int | None = None,
    validation: float = 0.1,
    out: str | os.PathLike[str] | None = None,
    device: str = "auto",
    callback: Callback = lambda *_: None,
    **settings: Any,
) -> TreePredictor:
    """Train a model on trees and return it, ready to predict.

    trees: nested tuples or lists ``(label, child, ...)``, or texts ``"(MAX 2 (MIN 4 7))"``; for the task compare pairs of them.
    labels: a class or a number for each tree. tags: instead, for the task tag, a list for each tree: the class of each node in
    preorder, None where there is none. task: by default tag if there are tags, regress if a label has decimals, otherwise
    classify. hidden: n, the size of states. validation: the share of rows that chooses the best epoch.
    out: a new run folder that keeps everything. settings: any setting of training, such as ``epochs=30``, ``seed=1`` or
    ``cell={"stack": 5}``.
    """
    if not isinstance(validation, Real):
        raise TypeError(f"validation is a share of the rows, a number between 0 and 1, not {type(validation).__name__}")
    if not 0 < validation < 1:
        raise DataError(f"validation is a share of the rows, between 0 and 1, not {validation!r}")
    if not callable(callback):
        raise TypeError(f"callback is a function of the name of an event and its facts, not {type(callback).__name__}")
    if out is not None and not isinstance(out, str | os.PathLike):
        raise TypeError(f"out is the path of a new run folder, not {type(out).__name__}")
    if out is not None and not os.fspath(out):
        raise DataError("out is an empty text; give the path of a new run folder")
    answers = None if labels is None else [plain(label) for label in list_of("labels", labels)]
    task = _task(answers, tags) if task is None else task
    given = settings.pop("cell", {})
    if not isinstance(given, Mapping):
        raise DataError(f"cell has settings of the model by name, such as {{'stack': 5}}, not {given!r:.60}")
    cell = dict(given) | ({} if hidden is None else {"hidden": hidden})
    wanted = TrainSettings.of(model=model, task=task, **settings, **({"cell": cell} if cell else {}))
    if wanted.task == "verify":
        raise DataError("fit trains on trees: classify, regress, compare or tag; for equations use treesmu train")
    table = _with_validation(table_of(trees, answers, tags, wanted.task == "compare"), validation, wanted.seed)
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder()) if out is None else Path(out)
        Trainer(table, folder, wanted, device=device, callback=callback).run()
        return TreePredictor(load_tree_model(RunFolder(folder).model))


def _task(answers: list[Any] | None, tags: Any) -> str:
    if tags is not None:
        return "tag"
    is_number = any(isinstance(answer, float) and not answer.is_integer() for answer in answers or [])
    return "regress" if is_number else "classify"


def _with_validation(table: TreeTable, share: float, seed: int) -> TreeTable:
    """Return the table divided into training and validation, by the seed, equal trees on one side; nothing is for a test."""
    if not len(table):
        raise DataError("there are no trees to train on")
    split = np.full(len(table), "train", "U10")
    if len(table) < FEW_ROWS:
        both = [replace(table, split=split), replace(table, split=np.full(len(table), "validation"))]
        return joined(both, table.source)
    rows = rng_for(SPLIT, seed).permutation(len(table))
    split[draw_rows(table, rows, {"validation": max(1, round(share * len(table)))})["validation"]] = "validation"
    return replace(table, split=split)
