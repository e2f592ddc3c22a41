"""A run depends on its settings and nothing else: not on the clock or on threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import load_file

import treesmu
from corpora import many_rows, write_manifest, write_small_corpus, write_split
from small_runs import FILES, RUNS, TIMES, assert_same_run, metrics, run, small
from treesmu import registry
from treesmu.data import DataError, Dataset
from treesmu.models.store import load
from treesmu.tasks.measures import verification_measures
from treesmu.tasks.verify import probabilities
from treesmu.training import batches
from treesmu.training.optimization import Optimization
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


# -- what a run leaves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", registry.BUILT_IN)
def test_every_model_trains_and_leaves_a_run_folder(model: str, corpus: Path, tmp_path: Path) -> None:
    settings = small(model=model, epochs=1, cell={} if model == "majority" else {"hidden": 5})
    run(corpus, tmp_path / "run", settings)
    assert {path.name for path in (tmp_path / "run").iterdir()} == FILES
    test = json.loads((tmp_path / "run" / "test.json").read_text())
    predictions = pq.read_table(tmp_path / "run" / "predictions.parquet")
    data = Dataset.read(corpus, "test")
    for name in ("row", "depth", "label"):
        assert predictions[name].to_pylist() == getattr(data, name).tolist()
    loaded = treesmu.load(tmp_path / "run" / "model.safetensors")
    np.testing.assert_allclose(predictions["probability"].to_numpy(), loaded.verify(data.expressions()), atol=1e-5)
    probability = predictions["probability"].to_numpy().astype(float)
    assert test["overall"] == pytest.approx(verification_measures(probability, data.label), abs=1e-5)
    assert sum(row["equations"] for row in test["by_depth"].values()) == len(data)


def test_a_line_of_metrics_has_the_loss_the_choice_and_the_pace(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", small())
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    assert set(lines[0]) == {"epoch", "loss", "validation_accuracy", "learning_rate", *TIMES}
    data = Dataset.read(corpus, "train")
    for line in lines:
        nodes_by_equation = line["nodes_per_second"] / line["equations_per_second"]
        assert nodes_by_equation == pytest.approx(data.size.mean(), rel=0.01)


def test_the_loss_in_the_metrics_is_the_mean_over_the_rows(corpus: Path, tmp_path: Path) -> None:
    trainer = run(corpus, tmp_path / "run", small(epochs=1, learning_rate=1e-12, weight_decay=0.0))
    data = trainer.data.train  # the weights have not moved
    p = trainer.model.verify(data.expressions()).astype(float)
    wanted = -np.log(np.where(data.label == 1, p, 1 - p)).mean()
    assert metrics(tmp_path / "run")[0]["loss"] == pytest.approx(wanted, abs=1e-5)


# -- the same again ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNS)
def test_same_seed_same_weights_whatever_is_prepared_ahead(
    name: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ahead in (0, 50):
        monkeypatch.setattr(batches, "AHEAD", ahead)
        torch.manual_seed(ahead)  # earlier random numbers have no effect
        run(corpus, tmp_path / str(ahead), RUNS[name])
    assert_same_run(tmp_path / "0", tmp_path / "50")


def test_another_seed_gives_other_weights_and_another_order(corpus: Path, tmp_path: Path) -> None:
    one, other = (run(corpus, tmp_path / str(seed), small(epochs=1, seed=seed)) for seed in (0, 1))
    assert not torch.equal(one.model.encoder.leaves.embedding.weight, other.model.encoder.leaves.embedding.weight)
    assert [rows.tolist() for rows in one.batches.rows(0)] != [rows.tolist() for rows in other.batches.rows(0)]


# -- how it trains -----------------------------------------------------------------------------------------------------


def test_the_model_is_chosen_on_validation_and_never_on_test(corpus: Path, tmp_path: Path) -> None:
    other = write_small_corpus(tmp_path / "other")
    write_split(other / "test.parquet", [(text, 1 - label, kind) for text, label, kind in many_rows(30, 500)])
    write_manifest(other)
    settings = small(epochs=6, learning_rate=0.02)
    run(corpus, tmp_path / "one", settings)
    run(other, tmp_path / "two", settings)
    one, two = (load_file(tmp_path / name / "model.safetensors") for name in ("one", "two"))
    assert all(torch.equal(one[name], two[name]) for name in one)
    accuracy = [line["validation_accuracy"] for line in metrics(tmp_path / "one")]
    best = treesmu.load(tmp_path / "one" / "model.safetensors")
    assert best.note["epoch"] == 1 + accuracy.index(max(accuracy))  # the first of the best
    data = Dataset.read(corpus, "validation")
    assert ((best.verify(data.expressions()) >= 0.5) == (data.label == 1)).mean() == max(accuracy)


def test_training_stops_when_validation_has_not_improved_for_patience_epochs(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accuracies = iter([0.5, 0.7, 0.6, 0.7, 0.65, 0.9])
    monkeypatch.setattr(Trainer, "_validate", lambda _: next(accuracies))
    trainer = run(corpus, tmp_path / "run", small(epochs=6, patience=3))
    assert [line["validation_accuracy"] for line in metrics(tmp_path / "run")] == [0.5, 0.7, 0.6, 0.7, 0.65]
    assert (trainer.progress.best, trainer.progress.best_epoch) == (0.7, 1)


def test_the_linear_schedule_decays_to_zero(corpus: Path, tmp_path: Path) -> None:
    rates: list[float] = []
    trainer = Trainer(corpus, tmp_path / "run", small(schedule="linear", learning_rate=0.1))
    step = trainer.optimization.adam.step
    trainer.optimization.adam.step = lambda: (rates.append(trainer.optimization.adam.param_groups[0]["lr"]), step())  # type: ignore[assignment]
    trainer.run()
    assert rates == pytest.approx([0.1 * (1 - i / 10) for i in range(10)])
    assert [line["learning_rate"] for line in metrics(tmp_path / "run")] == pytest.approx([0.05, 0])
    assert Trainer(corpus, tmp_path / "new", small()).learning_rate() == 1e-3


def test_the_averaged_weights_are_validated_and_saved_and_the_others_go_on(corpus: Path, tmp_path: Path) -> None:
    plain, averaged = (Trainer(corpus, tmp_path / f"{decay}", small(average=decay, epochs=1)) for decay in (0.0, 0.9))
    averaged.run()
    plain.run()
    last, mean = (load_file(tmp_path / f"{decay}" / "last.safetensors") for decay in (0.0, 0.9))
    assert all(torch.equal(p.detach(), last[name]) for name, p in averaged.model.named_parameters())
    assert all(torch.equal(averaged.average.means[name], mean[name]) for name in mean)
    assert not all(torch.equal(last[name], mean[name]) for name in mean)
    saved = load(tmp_path / "0.9" / "model.safetensors")
    p = probabilities(saved, saved.batches(averaged.data.validation_plan))
    assert metrics(tmp_path / "0.9")[0]["validation_accuracy"] == ((p >= 0.5) == (averaged.data.validation.label == 1)).mean()


def test_the_majority_class_has_nothing_to_average(corpus: Path, tmp_path: Path) -> None:
    trainer = run(corpus, tmp_path / "run", small(model="majority", cell={}, average=0.9))
    assert load_file(tmp_path / "run" / "model.safetensors")["head.share"].item() == trainer.data.train.label.mean()


def test_the_value_map_is_in_the_checkpoint_and_not_in_the_model(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "run", small(values=1.0, epochs=1))
    for name, is_there in {"model": False, "last": False, "resume": True}.items():
        assert any("values." in key for key in load_file(tmp_path / "run" / f"{name}.safetensors")) == is_there


def test_the_majority_class_is_learnt_by_counting(tmp_path: Path) -> None:
    rows = [row for row in many_rows(60) if row[1] == 1 or row[0].startswith("sin")]
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for split in ("train", "validation", "test"):
        write_split(corpus / f"{split}.parquet", rows)
    write_manifest(corpus)
    run(corpus, tmp_path / "run", small(model="majority", cell={}))
    share = np.mean([label for _, label, _ in rows])
    assert 0.5 < share < 1
    found = treesmu.load(tmp_path / "run" / "model.safetensors")
    assert found.verify(["x = y", "x = x"]) == pytest.approx([share, share])
    line = metrics(tmp_path / "run")
    assert len(line) == 1
    assert line[0]["validation_accuracy"] == share
    assert line[0]["loss"] == pytest.approx(-share * np.log(share) - (1 - share) * np.log(1 - share))


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cell": {"hidden": -1}}, " at least 1, not -1"),
        ({"cell": {"hidden": 0}}, " at least 1, not 0"),
        ({"cell": {"hidden": "many"}}, "setting cell.hidden of tree-smu: 'many' is not of the type of 50"),
        ({"cell": {"hidden": True}}, "setting cell.hidden of tree-smu: True is not of the type of 50"),
        ({"cell": {"hidden": 10**6}}, " parameters are too many for one machine; lower cell.hidden"),
        ({"cell": {"hidden": 10**7}}, "tree-smu: a memory of 2 x 10000000 numbers per node is too large"),
        ({"cell": {"foo": 1}}, "unknown setting cell.foo of tree-smu; known: hidden, stack, top, "),
        ({"cell": {"stack": 2, "top": 3}}, "tree-smu: top must be "),
        ({"cell": {"dropout": 1}}, "tree-smu: dropout must be "),
        ({"model": "transformer", "cell": {"heads": 3}}, "transformer: "),
        ({"model": "majority", "cell": {"hidden": 5}}, "unknown setting cell.hidden of majority; known: none"),
        ({"depths": (30, 40)}, "no train equations of depth 30-40; see: treesmu data stats "),
    ],
)
def test_bad_settings_are_one_line_and_leave_nothing(given: dict[str, Any], said: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        Trainer(corpus, tmp_path / "run", TrainSettings.of(**given))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_loss_that_is_not_finite_ends_the_run(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Optimization, "_gradients", lambda *_: float("nan"))
    with pytest.raises(DataError, match=r"the loss is not finite in epoch 1; lower learning_rate$"):
        run(corpus, tmp_path / "run", small())
