"""Numbers in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import run_name, study, write_plan, write_run
from treesmu.report.folder import Folder, StudyResults
from treesmu.report.numbers import Spread
from treesmu.report.runs import Condition
from treesmu.report.text.sentences import bands_note, changes, epochs, point_range

LOW, HIGH, NOISY, ONE = Spread((0.50, 0.51, 0.52)), Spread((0.70, 0.71, 0.72)), Spread((0.1, 0.6, 0.9)), Spread((0.6,))


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ([(LOW, HIGH)], "+20.0 (paper corpus, paper's recipe) points; significant"),
        ([(LOW, NOISY)], "; not significant"),
        ([(LOW, ONE)], "one seed, so this may be due to chance"),
        ([(LOW, HIGH), (HIGH, LOW), (LOW, NOISY), (LOW, HIGH)], "higher in 2 and significantly lower in 1 of 4 cases"),
        (
            [(HIGH, LOW), (HIGH, LOW), (LOW, ONE)],
            "lower in 2 of 2 cases (1 with one seed not counted)",
        ),
        ([(HIGH, LOW), (LOW, ONE)], "higher in 0 and significantly lower in 1 of 1 case (1 with one seed not counted)"),
    ],
)
def test_a_change_has_a_direction_and_single_seeds_are_not_counted(pairs: list[tuple[Spread, Spread]], text: str) -> None:
    assert changes([(Condition("paper", "paper"), a, b) for a, b in pairs]).endswith(text)


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
