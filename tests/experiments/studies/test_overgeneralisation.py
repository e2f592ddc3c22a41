"""Overgeneralisation: a corpus with exceptions for every share, and what was recorded after each epoch."""

from __future__ import annotations

from pathlib import Path

import pytest

from planned_runs import analyses_of, runs_of
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.studies.overgeneralisation import Overgeneralisation


def test_overgeneralisation_has_one_row_per_epoch(every_study: Reproduction) -> None:
    ((run, found),) = analyses_of(every_study, "overgeneralisation")
    assert len(found["epochs"]) == run.settings.epochs == 3
    assert found["share"] == 0.5
    assert abs(found["exceptions"] - found["others"]) <= 1
    assert found["exceptions"] > 0


def test_every_share_has_a_corpus_of_its_own() -> None:
    settings = 'shares = [0.1, 0.5]\nmodels = ["tree-rnn"]\nrecipes = ["paper"]\nouter = "Mul"\ninner = "sin"'
    runs = runs_of("overgeneralisation", settings)
    assert [(run.variant, run.source_corpus, run.corpus) for run in runs] == [
        ("0.1", "c", "c+sin-in-Mul-0.1"),
        ("0.5", "c", "c+sin-in-Mul-0.5"),
    ]


def test_a_run_without_exceptions_cannot_be_analysed(tmp_path: Path) -> None:
    run = runs_of("localism")[0]
    with pytest.raises(ValueError, match=f"{run.name}: a run without exceptions"):
        Overgeneralisation().analyse(run, tmp_path, {run.corpus: tmp_path})
