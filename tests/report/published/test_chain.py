"""The figure from the paper's data to fair data."""

from __future__ import annotations

from pathlib import Path

import pytest

from published_study import FILES, analysis_of, results_of, run_of
from treesmu.report.figures.figure import Dots
from treesmu.report.published.chain import chain_figure, steps

ACCURACIES = {"original": 80, "published": 79, "no-padding": 72, "no-noise": 74, "hard": 60}
TESTS = {"original": "original-other"}  # all others: the corpus's own


def analyses(more: dict[str, int] | None = None) -> dict[str, object]:
    return {
        run_of(corpus, model, seed): analysis_of({TESTS.get(corpus, corpus): percent + seed - (model == "tree-lstm")})
        for corpus, percent in (ACCURACIES | (more or {})).items()
        for model in ("tree-lstm", "tree-smu")
        for seed in (1, 3)
    }


def test_every_step_is_named_by_what_it_changes(tmp_path: Path) -> None:
    study = results_of(tmp_path / "a", analyses())
    assert [(step.corpus, step.test, step.label) for step in steps(study)] == [
        ("original", "original-other", "original"),
        ("published", "published", "published"),
        ("no-padding", "no-padding", "+ no padding"),
        ("no-noise", "no-noise", "+ right labels"),
        ("hard", "hard", "preset hard"),
    ]
    study = results_of(tmp_path / "b", analyses(), chain=["published", "no-noise"])
    assert [step.label for step in steps(study)][2] == "+ no-noise"  # two changes at once


def test_the_title_says_how_far_and_where_accuracy_falls(tmp_path: Path) -> None:
    drawn = chain_figure(results_of(tmp_path / "a", analyses()))
    assert drawn.title == (
        "From the paper's data to fair data: Tree-SMU falls from 82.0% (original) to 62.0% (preset hard) at depth 8-19; "
        "of the leaks, closing “no padding” costs most (−7.0 points)"
    )
    drawn = chain_figure(results_of(tmp_path / "b", analyses({"no-padding": 80, "no-noise": 85, "hard": 90})))
    assert drawn.title.endswith(
        "rises from 82.0% (original) to 92.0% (preset hard) at depth 8-19; no leak that is closed lowers it"
    )


def test_the_panels_show_both_models_with_the_papers_marks(tmp_path: Path) -> None:
    drawn = chain_figure(results_of(tmp_path, analyses()))
    smu, lstm = (panel for panel in drawn.panels if isinstance(panel, Dots))
    assert (smu.title, lstm.title) == ("Tree-SMU, depth 8-19", "Tree-LSTM, depth 8-19")
    assert smu.x_range == lstm.x_range
    assert [dot.value for dot in smu.rows] == [pytest.approx(percent + 2) for percent in ACCURACIES.values()]
    assert [dot.value for dot in lstm.rows] == [pytest.approx(percent + 1) for percent in ACCURACIES.values()]
    assert [dot.paper for dot in smu.rows] == [79.57, 79.57, None, None, None]
    assert [dot.paper for dot in lstm.rows] == [77.58, 77.58, None, None, None]
    assert [dot.sd for dot in smu.rows] == [pytest.approx(2**0.5)] * 5


def test_without_files_the_figure_begins_with_our_own_data(tmp_path: Path) -> None:
    done = {name: found for name, found in analyses().items() if not name.startswith("original")}
    drawn = chain_figure(results_of(tmp_path, done, without=FILES))
    assert [dot.label for panel in drawn.panels if isinstance(panel, Dots) for dot in panel.rows][:2] == [
        "published",
        "+ no padding",
    ]
    assert "falls from 81.0% (published)" in drawn.title


def test_a_chain_without_results_claims_nothing(tmp_path: Path) -> None:
    drawn = chain_figure(results_of(tmp_path, {run_of("published", "tree-smu"): analysis_of({"published": 60})}))
    assert drawn.title == "From the paper's data to fair data: accuracy at depth 8-19"
