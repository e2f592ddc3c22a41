"""The figure from the paper's data to fair data."""

from __future__ import annotations

from pathlib import Path

import pytest

from published_study import FILES, analysis_of, results_of, run_of
from treesmu.report.figures.figure import Dots
from treesmu.report.published.chain import chain_family, chain_figure, steps

ACCURACIES = {"original": 80, "published": 79, "no-padding": 72, "no-noise": 74, "hard": 60}
TESTS = {"original": "original-other"}  # all others: the corpus's own


def analyses(more: dict[str, int] | None = None) -> dict[str, object]:
    return {
        run_of(corpus, model, seed): analysis_of(
            {TESTS.get(corpus, corpus): percent + noise[place % 3] - (model == "tree-lstm")}
        )
        for place, (corpus, percent) in enumerate((ACCURACIES | (more or {})).items())
        for model in ("tree-lstm", "tree-smu")
        for seed, noise in (
            (1, (1, 1, 2)),
            (2, (3, 2, 1)),
            (3, (2, 3, 3)),
        )  # the differences between corpora vary with the seed
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


def title(path: Path, done: dict[str, object], **changes: object) -> str:
    study = results_of(path, done, **changes)  # type: ignore[arg-type]
    return chain_figure(study, chain_family(study)).title


def test_the_title_says_how_far_accuracy_falls_and_which_leaks_change_it(tmp_path: Path) -> None:
    start = "From the paper's data to fair data: "
    more = {"published": 80, "no-padding": 50, "no-noise": 52, "hard": 41}
    assert title(tmp_path / "a", analyses(more)) == (
        f"{start}Tree-SMU falls from 82.0% (original) to 43.0% (preset hard) at depth 8-19; "
        "of the leaks, closing “no padding” (−30.0) lowers it"
    )
    more = {"no-padding": 80, "no-noise": 82, "hard": 81, "published": 40}
    assert title(tmp_path / "b", analyses(more)) == f"{start}of the leaks, closing “no padding” (+40.0) raises it"


def test_the_panels_show_both_models_with_the_papers_marks(tmp_path: Path) -> None:
    study = results_of(tmp_path, analyses())
    drawn = chain_figure(study, chain_family(study))
    smu, lstm = (panel for panel in drawn.panels if isinstance(panel, Dots))
    assert (smu.title, lstm.title) == ("Tree-SMU, depth 8-19", "Tree-LSTM, depth 8-19")
    assert smu.x_range == lstm.x_range
    assert [dot.value for dot in smu.rows] == [pytest.approx(percent + 2) for percent in ACCURACIES.values()]
    assert [dot.value for dot in lstm.rows] == [pytest.approx(percent + 1) for percent in ACCURACIES.values()]
    assert [dot.paper for dot in smu.rows] == [79.57, 79.57, None, None, None]
    assert [dot.paper for dot in lstm.rows] == [77.58, 77.58, None, None, None]
    assert [dot.sd for dot in smu.rows] == [pytest.approx(1.0)] * 5


def test_without_files_the_figure_begins_with_our_own_data(tmp_path: Path) -> None:
    done = {name: found for name, found in analyses().items() if not name.startswith("original")}
    study = results_of(tmp_path, done, without=FILES)
    drawn = chain_figure(study, chain_family(study))
    assert [dot.label for panel in drawn.panels if isinstance(panel, Dots) for dot in panel.rows][:2] == [
        "published",
        "+ no padding",
    ]
    assert next(one.where for one in chain_family(study)) == "from 81.0% (published) to 62.0% (preset hard)"


def test_a_chain_without_results_claims_nothing(tmp_path: Path) -> None:
    done = {run_of("published", "tree-smu"): analysis_of({"published": 60})}
    assert title(tmp_path, done) == "From the paper's data to fair data: accuracy at depth 8-19"
