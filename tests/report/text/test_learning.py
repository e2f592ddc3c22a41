"""The table of learning has every measure, every depth, time and size."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name, study, write_epochs, write_outcome, write_plan, write_run
from treesmu.report.folder import Folder
from treesmu.report.numbers import Spread
from treesmu.report.text.learning import learning_table


def test_each_group_has_its_measures_its_fastest_seed_and_its_size(tmp_path: Path) -> None:
    runs = {run_name("hard", "tree-smu", "paper", seed): "" for seed in (1, 2)}
    write_plan(tmp_path, {"productivity": study(runs)})
    for name, right, seconds in zip(runs, ({1: 80, 9: 60}, {1: 90, 9: 70}), ((3.0, 5.0, 4.0), (2.0, 9.0, 2.0)), strict=True):
        write_run(tmp_path, name)
        write_outcome(tmp_path, name, right, 50, 100)
        write_epochs(tmp_path, name, [0.5, 0.6, 0.7], seconds)
    table = learning_table(Folder(tmp_path).studies[0])
    (row,) = [dict(zip([column.title for column in table.columns], row, strict=True)) for row in table.rows]
    assert (row["corpus"], row["recipe"], row["model"]) == ("hard", "paper", "Tree-SMU")
    assert row["systematicity %"] == row["depth 1 %"] == Spread((0.8, 0.9))
    assert row["productivity %"] == row["depth 9 %"] == Spread((0.6, 0.7))
    assert row["seconds per epoch"] == pytest.approx(2.0)  # medians: 4 and 2
    assert (row["parameters"], row["seeds"]) == (1234, 2)
    assert [column.title for column in table.columns if column.has_best] == ["systematicity %", "productivity %"]
    assert table.notes[0] == "Mean ± sample standard deviation over 2 seeds."
