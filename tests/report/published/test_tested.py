"""Accuracy from counts: over depths, over equations, of parts of a test set, over seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from published_study import FILES, analysis_of, results_of, run_of
from treesmu.report.published.tested import (
    FEW,
    RightCounts,
    accuracy,
    as_published,
    chosen_test,
    gold_test,
    groups_on,
    mean_of,
    over_seeds,
)

ANALYSIS = {
    "tests": {
        "some": {
            "depth": [1, 2, 2, 2, 9],
            "label": [1, 0, 1, 1, 0],
            "sides_seen": [2, 0, 0, 1, 0],
            "equations": [FEW - 1, 20, 20, 60, 40],
            "right": [FEW - 1, 0, 10, 40, 30],
            "left_out": 3,
            "all": {"1": 19, "2": 300, "9": 100},
        }
    }
}


@pytest.fixture
def some() -> RightCounts:
    found = RightCounts.of(ANALYSIS, "some")
    assert found is not None
    return found


def test_means_are_over_depths_or_over_all_equations_of_the_test_set(some: RightCounts) -> None:
    assert some.over_depths((1, 19)) == pytest.approx((50 / 100 + 30 / 40) / 2)  # depth 1 has too few equations
    assert some.over_equations((1, 19)) == pytest.approx((300 * 50 / 100 + 100 * 30 / 40) / 400)
    assert some.over_depths((1, 7)) == 0.5
    assert some.over_depths((10, 19)) is None
    assert some.over_equations((1, 1)) is None


def test_equations_are_counted_by_seen_sides_and_label(some: RightCounts) -> None:
    assert some.count((1, 7)) == (99 + FEW, 49 + FEW)
    assert some.count((2, 9), sides=(0,)) == (80, 40)
    assert some.share((2, 9), sides=(0,), labels=(1,)) == 0.5
    assert some.share((3, 8)) is None


def test_a_test_set_that_a_model_was_not_tested_on_has_no_counts() -> None:
    assert RightCounts.of(ANALYSIS, "other") is None


def test_a_measure_is_over_the_seeds_that_were_tested(tmp_path: Path) -> None:
    analyses = {
        run_of("published", "tree-smu", seed): analysis_of({"published": percent}) for seed, percent in ((1, 60), (2, 70))
    }
    analyses[run_of("published", "tree-smu", 3)] = analysis_of({"hard": 50})
    study = results_of(tmp_path, analyses)
    (group,) = groups_on(study, "published")
    found = accuracy(study, group, "published", (8, 19))
    assert found is not None
    assert found.values == (pytest.approx(0.6), pytest.approx(0.7))
    assert accuracy(study, group, None, (8, 19)) is None
    assert over_seeds(study, group, "gold", lambda _: 1.0) is None


def test_test_sets_of_the_same_way_have_means_over_equations(tmp_path: Path) -> None:
    study = results_of(tmp_path, {run_of("published", "tree-smu"): analysis_of({"published": 60})})
    means = {test: mean_of(study, test) for test in study.settings["tests"]}
    assert [test for test, mean in means.items() if mean == "equations"] == ["original", "published-same"]
    assert (chosen_test(study, "same_way", "published"), chosen_test(study, "protocol", "hard")) == ("published-same", None)


def test_without_files_there_are_no_gold_equations_and_one_corpus_like_the_papers(tmp_path: Path) -> None:
    analyses = {run_of("published", "tree-smu"): analysis_of({"published": 60})}
    study = results_of(tmp_path / "a", analyses)
    assert (gold_test(study), as_published(study)) == ("gold", ["original", "published"])
    study = results_of(tmp_path / "b", analyses, without=FILES)
    assert (gold_test(study), as_published(study)) == (None, ["published"])
