"""Finished runs and groups of seeds: their measures are those of their files."""

from __future__ import annotations

import pytest

from finished_runs import finished_run, seed_group
from treesmu.report import runs
from treesmu.report.numbers import Spread
from treesmu.report.runs import Condition, accuracy_at, by_condition, find

GROUPS = [
    seed_group("paper", "paper", "tree-rnn", finished_run(60, 50), variant="a"),
    seed_group("hard", "paper", "tree-smu", finished_run(80, 70), finished_run(90, 60), variant="a"),
    seed_group("paper", "paper", "tree-smu", finished_run(70, 66), variant="b"),
]


def test_a_condition_is_named_for_readers() -> None:
    assert str(Condition("hard", "treesmu")) == "hard corpus, recipe treesmu"
    assert str(Condition("mine", "paper")) == "mine corpus, paper's recipe"


def test_the_counts_of_a_run_are_pooled_over_depths() -> None:
    counts = finished_run(80, 60).counts(7, 8)
    assert (counts.equations, counts.correct, counts.true_positives) == (200, 100, 40 + 30)
    assert counts.accuracy == pytest.approx(0.7)


def test_seconds_per_epoch_are_the_median() -> None:
    assert finished_run(50, 50, [0.5] * 4, [1, 2, 4, 900]).seconds_per_epoch == 3.0


@pytest.mark.parametrize(
    ("validation", "is_still_rising"),
    [([0.5, 0.7, 0.8], True), ([0.5, 0.8, 0.8], False), ([0.9, 0.7, 0.8], False), ([0.9], False)],
)
def test_a_run_is_still_rising_if_its_last_epoch_is_the_best(validation: list[float], is_still_rising: bool) -> None:
    run = finished_run(50, 50, validation)
    assert run.is_still_rising is is_still_rising
    assert run.best_validation(2) == max(validation[:2])


def test_the_measures_of_a_group_are_those_of_its_seeds() -> None:
    group = GROUPS[1]
    assert (group.seeds, group.parameters, group.rows) == (2, 1234, 80)
    assert group.accuracy(1, 7) == Spread((0.8, 0.9))
    assert group.accuracy(8, 19) == accuracy_at(8)(group) == Spread((0.7, 0.6))
    assert group.score_on("train") == Spread((0.9, 0.9))
    assert group.accuracy(30, 40) is None  # no such equations
    assert group.base_rate(1, 7) == 0.5


def test_groups_are_found_by_condition_model_and_variant() -> None:
    first, second, third = GROUPS
    assert by_condition(GROUPS) == {Condition("paper", "paper"): [first, third], Condition("hard", "paper"): [second]}
    assert find(GROUPS, "tree-smu") is second
    assert find(GROUPS, "tree-smu", "b") is third
    assert find(GROUPS, "tree-rnn", "b") is None
    assert runs.tested_depths(GROUPS) == list(range(1, 20))


@pytest.mark.parametrize(("seeds", "is_too_small"), [(1, True), (2, False)])
def test_one_seed_with_few_test_equations_is_too_small_for_trends(seeds: int, is_too_small: bool) -> None:
    group = seed_group("paper", "paper", "tree-rnn", *[finished_run(60, 50)] * seeds, variant="a")
    assert runs.most_per_depth(group) == 100
    assert runs.is_single_seed([group]) is is_too_small
    assert runs.is_too_small_for_trends([group]) is is_too_small


def test_one_seed_with_many_test_equations_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    group = seed_group("paper", "paper", "tree-rnn", finished_run(60, 50), variant="a")
    monkeypatch.setattr(runs, "ENOUGH_PER_DEPTH", 100)
    assert not runs.is_too_small_for_trends([group])


def test_a_regression_is_measured_by_r2() -> None:
    labels = {"trees": 10, "rmse": 1.0, "r2": 0.75, "label_mean": 3.0, "label_sd": 2.0}
    settings = {"settings": {"model": "tree-smu", "task": "regress", "seed": 1}}
    test = {"by_depth": {"1": labels, "2": labels | {"rmse": 2.0}}, "train": {"r2": 0.9}, "validation": {"r2": None}}
    epochs = ({"validation_r2": -0.5, "seconds": 1.0}, {"validation_r2": 0.5, "seconds": 1.0})
    run = runs.FinishedRun("a run", settings, test, epochs)
    assert (run.task, run.measure.key, run.is_still_rising, run.best_validation(1)) == ("regress", "r2", True, -0.5)
    assert (run.score(1, 1), run.score(1, 2), run.score(3, 9)) == (0.75, 0.375, None)
    group = seed_group("mine", "trees", "tree-smu", run)
    assert (group.score(1, 1), group.score_on("train"), group.score_on("validation")) == (Spread((0.75,)), Spread((0.9,)), None)
    assert GROUPS[1].score(1, 7) == GROUPS[1].accuracy(1, 7)
