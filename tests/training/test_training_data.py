"""The equations of a run are those that its settings choose from the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_small_corpus, write_split
from small_runs import small
from treesmu.data import DataError
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


def test_depths_and_rows_choose_the_equations(corpus: Path, tmp_path: Path) -> None:
    trainer = Trainer(corpus, tmp_path / "run", small(depths=(4, 9), rows=7))
    assert len(trainer.data.train) == 7
    assert trainer.data.train.depth.min() == 4
    assert trainer.data.validation.depth.min() == 4
    assert (trainer.data.test.depth < 4).any()  # tested on all
    again = Trainer(corpus, tmp_path / "run", small(depths=(4, 9), rows=7, seed=1))
    assert trainer.data.train.row.tolist() != again.data.train.row.tolist()


def test_an_equation_that_the_model_cannot_read_is_reported_with_the_corpus(tmp_path: Path) -> None:
    corpus = write_small_corpus(tmp_path / "corpus")
    write_split(corpus / "train.parquet", [("theta + x = x + theta", 1, "")])
    with pytest.raises(DataError, match=r"corpus: row 0: unknown leaf or function 'theta'"):
        Trainer(corpus, tmp_path / "run", small())
    assert not (tmp_path / "run").exists()
