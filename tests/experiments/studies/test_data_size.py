"""Data size: models see the same number of equations, whatever the size of their training set."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.data import DataError
from treesmu.experiments.preset import Preset


def test_models_of_all_data_sizes_see_the_same_number_of_equations() -> None:
    small = runs_of("data_size", "sizes = [1000, 3000, 10000]\nseen = 30000\n")
    assert {(run.settings.rows or 0) * run.settings.epochs for run in small} == {30_000}


@pytest.mark.parametrize(
    ("name", "largest", "seen"), [("paper", 1_000_000, 3_000_000), ("generalisation-details", 96_000, 288_000)]
)
def test_so_they_do_in_our_presets(name: str, largest: int, seen: int) -> None:
    ours = Preset.read(name)
    found = ours.studies["data_size"].runs(ours.setup)
    assert {(run.settings.rows or largest) * run.settings.epochs for run in found} == {seen}


def test_fewer_equations_are_seen_more_often() -> None:
    found = [
        (run.variant, run.settings.rows, run.settings.epochs) for run in runs_of("data_size", "sizes = [10, 40]\nseen = 80")
    ]
    assert found == [("10", 10, 8), ("40", 40, 2)]
    (most,) = runs_of("data_size", "sizes = [100]\nseen = 30")
    assert most.settings.epochs == 1  # at least one


def test_a_corpus_must_have_so_many_equations() -> None:
    with pytest.raises(DataError, match="30,000 equations, but corpus 'c' has 24,487"):
        runs_of("data_size", "sizes = [30000]")
