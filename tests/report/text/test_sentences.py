"""Numbers in words."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name, study, write_plan, write_run
from treesmu.report.folder import Folder, StudyResults
from treesmu.report.text.sentences import bands_note, epochs, point_range, points
from treesmu.task_names import R2


def test_a_range_has_two_ends_or_one() -> None:
    assert point_range([0.014, -0.001, 0.0]) == "−0.1 to +1.4"
    assert point_range([0.0141, 0.0139]) == "+1.4"


def results(folder: Path, runs: list[str]) -> StudyResults:
    write_plan(folder, {"productivity": study(dict.fromkeys(runs, ""))})
    return Folder(folder).studies[0]


def test_bands_and_epochs_of_groups_with_different_numbers_of_seeds(tmp_path: Path) -> None:
    runs = [run_name("paper", "lstm", "paper", 1), *(run_name("paper", "tree-smu", "paper", seed) for seed in (1, 2, 3))]
    for name in runs:
        write_run(tmp_path, name, epochs=5 if "lstm" in name else 8)
    groups = results(tmp_path, runs).groups
    assert bands_note(groups) == "Bands: ± one standard deviation over up to 3 seeds."
    assert bands_note(groups[1:]) == "Bands: ± one standard deviation over 3 seeds."
    assert bands_note(groups[:1]) == "One seed, therefore no bands."
    assert (epochs(groups), epochs(groups[1:])) == ("5 to 8 epochs", "8 epochs")


def test_differences_of_shares_are_in_points_and_those_of_r2_are_not() -> None:
    assert [points(value) for value in (0.0123, -0.0001, -0.05)] == ["+1.2", "+0.0", "−5.0"]
    assert [points(value, R2) for value in (0.0123, -0.0001, -0.05)] == ["+0.012", "+0.000", "−0.050"]
