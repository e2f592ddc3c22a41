"""The equations of a run are those that its settings choose from the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_manifest, write_small_corpus, write_split
from small_runs import small
from treesmu.data import DataError, Vocab
from treesmu.models import build, load
from treesmu.training import training_data
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


@pytest.fixture
def with_new_leaves(tmp_path: Path) -> Path:
    """A corpus with two leaves that the vocabulary of mathematics does not have."""
    corpus = write_small_corpus(tmp_path / "corpus")
    write_split(corpus / "train.parquet", [("theta + x = x + theta", 1, ""), ("x + 17 = x", 0, "")])
    return write_manifest(corpus)


def test_new_leaves_of_the_corpus_become_leaves_of_the_model(with_new_leaves: Path, tmp_path: Path) -> None:
    vocab = Trainer(with_new_leaves, tmp_path / "run", small()).model.encoder.vocab
    assert set(vocab.leaves) - set(Vocab.default().leaves) == {"theta", "17"}


def test_the_model_knows_which_symbols_it_is_trained_on(with_new_leaves: Path, tmp_path: Path) -> None:
    trained = Trainer(with_new_leaves, tmp_path / "run", small()).model.trained
    assert trained is not None
    assert (trained.functions, set(trained.leaves)) == (("Add",), {"theta", "x", "17"})  # not those of validation and test
    renamed = Trainer(with_new_leaves, tmp_path / "run", small(rename=True)).model.trained
    assert renamed is not None
    assert {"y", "z"} <= set(renamed.leaves)
    assert Trainer(with_new_leaves, tmp_path / "run", small(model="majority", cell={})).model.trained is None


def test_a_file_of_weights_says_what_it_was_trained_on(with_new_leaves: Path, tmp_path: Path) -> None:
    Trainer(with_new_leaves, tmp_path / "run", small(epochs=1)).run()
    for name in ("model.safetensors", "last.safetensors"):
        assert load(tmp_path / "run" / name).untrained(["17 + x = x", "sin(x) = 1"]) == [(), ("sin", "1")]


def test_too_many_new_leaves_are_refused_with_a_remedy(
    with_new_leaves: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_data, "MOST_NEW_LEAVES", 1)
    with pytest.raises(DataError, match=r"corpus: 2 different leaves that models do not know, such as .*; write numbers with"):
        Trainer(with_new_leaves, tmp_path / "run", small())
    assert not (tmp_path / "run").exists()


def test_an_equation_that_the_model_cannot_read_is_reported_with_the_corpus(with_new_leaves: Path) -> None:
    encoder = build("tree-rnn", Vocab.default(), {"hidden": 2}).encoder
    with pytest.raises(DataError, match=r"corpus: row 0: unknown leaf or function 'theta'"):
        training_data.TrainingData.read(with_new_leaves, small(), encoder)
