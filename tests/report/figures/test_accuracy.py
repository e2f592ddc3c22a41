"""Accuracy as lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import measures_of_counts, run_name, study, write_plan, write_run, write_test
from treesmu.report.figures.accuracy import few_note
from treesmu.report.folder import Folder


@pytest.mark.parametrize(
    ("paper", "hard", "text"),
    [
        ({1: 28, 2: 500}, {1: 28, 2: 500}, " Only 28 equations at depth 1."),
        ({1: 28, 2: 500}, {1: 500, 2: 1}, " Only 28 equations at depth 1 (paper corpus); 1 equation at depth 2 (hard corpus)."),
        ({1: 100, 2: 500}, {1: 28, 2: 500}, " Only 28 equations at depth 1 (hard corpus)."),
        ({1: 20, 2: 30}, {1: 20, 2: 30}, " Only 20 to 30 equations at each depth."),
        ({1: 100, 2: 500}, {1: 100, 2: 500}, ""),
    ],
)
def test_depths_with_few_equations_are_named_for_every_corpus(
    tmp_path: Path, paper: dict[int, int], hard: dict[int, int], text: str
) -> None:
    runs = {run_name(corpus, "tree-smu", "paper", 1): "" for corpus in ("paper", "hard")}
    write_plan(tmp_path, {"productivity": study(runs)})
    for corpus, equations in (("paper", paper), ("hard", hard)):
        name = run_name(corpus, "tree-smu", "paper", 1)
        write_run(tmp_path, name)
        write_test(tmp_path, name, {depth: measures_of_counts(many, many // 2, 0, 0) for depth, many in equations.items()})
    assert few_note(Folder(tmp_path).studies[0].groups) == text
