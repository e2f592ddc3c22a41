"""Sentences about numbers: true whatever the numbers are."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduced import measures_of_counts, run_name, study, write_plan, write_run, write_test
from treesmu.report.figures.by_depth import few_note
from treesmu.report.folder import Folder, StudyResults
from treesmu.report.numbers import Spread
from treesmu.report.text.sentences import bands_note, changes, epochs, span

LOW, HIGH, NOISY, ONE = Spread((0.50, 0.51, 0.52)), Spread((0.70, 0.71, 0.72)), Spread((0.1, 0.6, 0.9)), Spread((0.6,))


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(LOW, HIGH)], "+20.0 (paper corpus, paper's recipe) points; more than the noise of seeds"),
        ([(LOW, NOISY)], "within the noise of seeds"),
        ([(LOW, ONE)], "one seed, so it may be chance"),
        ([(LOW, HIGH), (HIGH, LOW), (LOW, NOISY), (LOW, HIGH)], "higher in 2, lower in 1 of 4 cases"),
        ([(HIGH, LOW), (HIGH, LOW), (LOW, ONE)], "higher in 0, lower in 2 of 2 cases (1 with one seed not counted)"),
        ([(HIGH, LOW), (LOW, ONE)], "higher in 0, lower in 1 of 1 case (1 with one seed not counted)"),
    ],
)
def test_a_change_has_a_direction_and_single_seeds_are_not_counted(pairs: list[tuple[Spread, Spread]], said: str) -> None:
    assert changes([(("paper", "paper"), a, b) for a, b in pairs]).endswith(said)


def test_a_span_has_two_ends_or_one() -> None:
    assert span([0.014, -0.001, 0.0]) == "−0.1 to +1.4"
    assert span([0.0141, 0.0139]) == "+1.4"


def found(folder: Path, runs: list[str]) -> StudyResults:
    write_plan(folder, {"productivity": study(dict.fromkeys(runs, ""))})
    return Folder(folder).studies[0]


def test_bands_and_epochs_of_entries_that_have_different_numbers(tmp_path: Path) -> None:
    runs = [run_name("paper", "lstm", "paper", 1), *(run_name("paper", "tree-smu", "paper", seed) for seed in (1, 2, 3))]
    for name in runs:
        write_run(tmp_path, name, epochs=5 if "lstm" in name else 8)
    groups = found(tmp_path, runs).groups
    assert bands_note(groups) == "Bands: ± one standard deviation over up to 3 seeds."
    assert bands_note(groups[1:]) == "Bands: ± one standard deviation over 3 seeds."
    assert bands_note(groups[:1]) == "One seed: no bands."
    assert (epochs(groups), epochs(groups[1:])) == ("5 to 8 epochs", "8 epochs")


@pytest.mark.parametrize(
    ("paper", "hard", "said"),
    [
        ({1: 28, 2: 500}, {1: 28, 2: 500}, " Only 28 equations at depth 1."),
        ({1: 28, 2: 500}, {1: 500, 2: 1}, " Only 28 equations at depth 1 (paper corpus); 1 equation at depth 2 (hard corpus)."),
        ({1: 100, 2: 500}, {1: 28, 2: 500}, " Only 28 equations at depth 1 (hard corpus)."),
        ({1: 20, 2: 30}, {1: 20, 2: 30}, " Only 20 to 30 equations at each depth."),
        ({1: 100, 2: 500}, {1: 100, 2: 500}, ""),
    ],
)
def test_few_equations_are_told_of_every_corpus(tmp_path: Path, paper: dict[int, int], hard: dict[int, int], said: str) -> None:
    for corpus, equations in (("paper", paper), ("hard", hard)):
        name = run_name(corpus, "tree-smu", "paper", 1)
        write_run(tmp_path, name)
        write_test(tmp_path, name, {depth: measures_of_counts(many, many // 2, 0, 0) for depth, many in equations.items()})
    assert few_note(found(tmp_path, [run_name(c, "tree-smu", "paper", 1) for c in ("paper", "hard")]).groups) == said
