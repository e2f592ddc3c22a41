"""Small files of trees with exact answers, for tests of the tasks of trees."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import torch

from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.reading import Reading
from treesmu.models.build import build_tree_model
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.models.trees.tree_model import TreeModel
from treesmu.training.settings import TrainSettings

FUNCTIONS: dict[str, Any] = {"MAX": max, "MIN": min}


def random_tree(rng: random.Random, height: int) -> Any:
    """Return nested lists of MAX and MIN of 2 to 4 digits from 0 to 3."""
    if height == 0:
        return rng.randrange(4)
    return [rng.choice(list(FUNCTIONS)), *(random_tree(rng, rng.randrange(height)) for _ in range(rng.randint(2, 4)))]


def value(tree: Any) -> int:
    """Return the value of a tree."""
    return tree if isinstance(tree, int) else FUNCTIONS[tree[0]](value(child) for child in tree[1:])


def tags(tree: Any) -> list[int | None]:
    """Return the value of each inner node in preorder, None for leaves."""
    return [None] if isinstance(tree, int) else [value(tree), *(tag for child in tree[1:] for tag in tags(child))]


def example(task: str, rng: random.Random, height: int = 3) -> dict[str, Any]:
    """Return a row for a task."""
    tree, other = random_tree(rng, height), random_tree(rng, height)
    if task == "compare":
        return {"left": tree, "right": other, "label": "same" if value(tree) == value(other) else "other"}
    if task == "tag":
        return {"tree": tree, "tags": tags(tree)}
    return {"tree": tree, "label": value(tree) + 0.5 if task == "regress" else value(tree)}


def write_trees(path: Path, task: str, count: int = 120, height: int = 3, **columns: Any) -> Path:
    """Write a file of rows for a task."""
    rng = random.Random(7)
    rows = [example(task, rng, height) | columns for _ in range(count)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def small(task: str, **changes: Any) -> TrainSettings:
    """Return settings of a short run."""
    return TrainSettings.of(**{"task": task, "epochs": 2, "cell": {"hidden": 6}, "batch": 16, "warmup": 0, **changes})


def tree_model(
    task: Any = "classify", name: str = "tree-smu", trees: Any = ("(f a b)", "(f (f b a) a b)", "b"), **cell: Any
) -> TreeModel:
    """Return a model of trees with random weights and the classes x, y and z."""
    torch.manual_seed(0)
    reading = Reading.learn(trees_in_memory(trees), rare=1)
    answer_kind = AnswerKind(task, () if task == "regress" else ("x", "y", "z"))
    return build_tree_model(name, reading, answer_kind, {"hidden": 10, **cell}, "linear")


TREES = [random_tree(random.Random(seed), 2) for seed in range(120)]
LABELS = [value(tree) for tree in TREES]
