"""Which stream the settings of a run open: its equations leave out those of validation, of test and of the files named."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_small_corpus
from streams import write_generated
from treesmu.cli.terminal.streams import default_stream_jobs, open_stream
from treesmu.data import DataError, Dataset
from treesmu.engine import default_jobs
from treesmu.expr import parse
from treesmu.generate.columns import CheckedEquation, make_columns
from treesmu.training.settings import TrainSettings


def test_without_the_setting_there_is_no_stream(tmp_path: Path) -> None:
    with open_stream(tmp_path, TrainSettings.of(), "local", None, None) as stream:
        assert stream is None


def test_files_of_any_kind_are_left_out_besides_validation_and_test(tmp_path: Path) -> None:
    corpus = write_generated(tmp_path / "corpus")
    (tmp_path / "list.csv").write_text("equation,label\nsin(x + y) = sin(x) + sin(y),0\n")
    (tmp_path / "list.txt").write_text("x^2*x^3 = x^5\n")
    other = write_small_corpus(tmp_path / "other", 8, 4, 4)
    settings = TrainSettings.of(
        stream=True, rows=20, depths=(1, 4), exclude=(tmp_path / "list.csv", tmp_path / "list.txt", other)
    )
    with open_stream(corpus, settings, "local", 1, None) as stream:
        assert stream is not None
        assert stream.settings.depths == (1, 4)
        left_out = [
            parse("sin(z) + sin(x) = sin(x + z)"),
            parse("y^3*y^2 = y^5"),
            *Dataset.read(corpus, "validation").expressions(),
        ]
        left_out += [*Dataset.read(corpus, "test").expressions(), Dataset.read(other, "train").expressions()[0].canonical()]
        rows = make_columns([CheckedEquation(e, 1, 0, "") for e in [*left_out, parse("x^2 + 1 = 7*y")]], first_occurrence=False)
        assert stream.held_out.allowed(rows).tolist() == [False] * len(left_out) + [True]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = TrainSettings.of(stream=True, exclude=["nowhere.txt"])
    corpus = write_generated(tmp_path / "corpus")
    with (
        pytest.raises(DataError, match=r"--exclude nowhere\.txt: there is no such file"),
        open_stream(corpus, settings, "local", 1, None),
    ):
        pass


def test_one_core_is_left_for_training() -> None:
    assert default_stream_jobs() == max(1, default_jobs() - 1)
