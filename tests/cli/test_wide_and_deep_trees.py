"""Trees of 1,500 children in one node and of depth 1,500 are trained on, measured and answered, from JSONL."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treesmu as package
from in_process import treesmu

MANY = 1_500  # more than Python's limit of recursion, which is 1,000
FAST = ("--epochs", "1", "--hidden", "3", "--batch", "4", "--device", "cpu")


def _wide(digit: int) -> str:
    return json.dumps(["f", *[(digit + k) % 10 for k in range(MANY)]])


def _deep(digit: int) -> str:
    """Return JSON that Python's reader and writer are too recursive for."""
    return "".join(f'["f", {(digit + k) % 10}, ' for k in range(MANY)) + "1" + "]" * MANY


def _write(file: Path, trees: list[str], **columns: Any) -> Path:
    others = json.dumps(columns).strip("{}")
    rows = [f'{{"tree": {tree}, "label": {place % 2}{", " * bool(others)}{others}}}\n' for place, tree in enumerate(trees)]
    file.write_text("".join(rows), encoding="utf-8")
    return file


@pytest.mark.parametrize(("make", "depth"), [(_wide, 1), (_deep, MANY)], ids=["wide", "deep"])
def test_large_trees_are_trained_on_measured_and_answered(
    make: Any, depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, run = _write(tmp_path / "data.jsonl", [make(digit) for digit in range(6)]), tmp_path / "run"
    done = treesmu(capsys, "train", data, "--task", "classify", "--out", run, *FAST)
    assert done.returncode == 0, done.stderr
    assert math.isfinite(json.loads((run / "metrics.jsonl").read_text())["loss"])
    measured = json.loads(treesmu(capsys, "evaluate", run, data, "--split", "all", "--json").stdout)
    assert list(measured["by_depth"]) == [str(depth)]
    assert measured["overall"]["trees"] == 6
    text = make(1).replace('"', "").replace(",", "").replace("[", "(").replace("]", ")")  # the same tree as an s-expression
    tree: Any = 1
    for k in reversed(range(MANY)):
        tree = ("f", (1 + k) % 10, tree)
    nested = tree if depth > 1 else ("f", *[(1 + k) % 10 for k in range(MANY)])
    probability = package.TreePredictor.load(run).predict_proba([text, nested])
    assert np.array_equal(probability[0], probability[1])
    assert probability.sum(1) == pytest.approx([1, 1])
