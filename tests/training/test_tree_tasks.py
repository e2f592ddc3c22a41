"""Every task of trees trains, can be resumed to the same bytes, and writes the same files as a run of equations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from tree_files import small, write_trees
from treesmu.data import DataError
from treesmu.models.store import load, load_tree_model
from treesmu.training.batches import Batches
from treesmu.training.distributed import ProcessGroup
from treesmu.training.trainer import Trainer

TASKS = ("classify", "regress", "compare", "tag")
FILES = ("settings.json", "model.safetensors", "last.safetensors", "test.json", "predictions.parquet")


def _run(data: Path, out: Path, settings: Any, until: int | None = None, resume: bool = False) -> Trainer:
    trainer = Trainer(data, out, settings, device="cpu", resume=resume)
    trainer.run(until)
    return trainer


@pytest.mark.parametrize("task", TASKS)
def test_a_run_is_resumed_to_the_same_bytes(task: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", task)
    _run(data, tmp_path / "whole", small(task))
    _run(data, tmp_path / "parts", small(task), until=1)
    _run(data, tmp_path / "parts", small(task), resume=True)
    for name in FILES:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes(), name


@pytest.mark.parametrize("task", TASKS)
def test_measures_are_those_of_the_predictions(task: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", task)
    _run(data, tmp_path / "run", small(task))
    measured = json.loads((tmp_path / "run" / "test.json").read_text())
    found = pq.read_table(tmp_path / "run" / "predictions.parquet").to_pydict()
    label, prediction = found["label"], found["prediction"]
    if task == "regress":
        errors = np.array(prediction) - np.array(label)
        assert measured["overall"]["rmse"] == pytest.approx(np.sqrt((errors**2).mean()))
        assert measured["overall"]["r2"] == pytest.approx(1 - (errors**2).mean() / np.var(label))
    else:
        assert measured["overall"]["accuracy"] == pytest.approx(
            np.mean([a == b for a, b in zip(label, prediction, strict=True)])
        )
        by_depth = measured["by_depth"].values()
        count = "nodes" if task == "tag" else "trees"
        total = sum(one["accuracy"] * one[count] for one in by_depth if one["accuracy"] is not None)
        assert total / measured["overall"][count] == pytest.approx(measured["overall"]["accuracy"])
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    score = "validation_r2" if task == "regress" else "validation_accuracy"
    best = max(lines, key=lambda line: line[score])
    assert load_tree_model(tmp_path / "run" / "model.safetensors").note["epoch"] == best["epoch"]


@pytest.mark.parametrize("task", TASKS)
def test_compiled_code_gives_the_gradients_of_autograd(task: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", task)
    found = []
    for compiled in (True, False):
        trainer = Trainer(data, tmp_path / f"run-{compiled}", small(task), device="cpu")
        trainer.model.encoder.compiled = compiled
        batch = next(iter(trainer.batches.epoch(0)))
        loss = trainer.optimization.gradients(batch)
        assert trainer.optimization.is_compiled == compiled
        found.append((loss, [p.grad.clone() for p in trainer.model.parameters() if p.grad is not None]))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-4)
    for one, two in zip(found[0][1], found[1][1], strict=True):
        torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("task", TASKS)
def test_parts_of_a_batch_add_up_to_the_whole(task: str, tmp_path: Path) -> None:
    trainer = Trainer(write_trees(tmp_path / "data.jsonl", task), tmp_path / "run", small(task), device="cpu")
    rows = np.arange(13)

    def losses(world: int) -> list[float]:
        parts = [
            Batches(trainer.data, trainer.settings, ProcessGroup(rank, world)).prepare(0, 0, rows) for rank in range(world)
        ]
        return [trainer.optimization.loss(part).item() for part in parts]

    assert np.mean(losses(3)) == pytest.approx(losses(1)[0], rel=1e-5)


@pytest.mark.parametrize("model", ["lstm", "transformer", "tree-transformer"])
@pytest.mark.parametrize("task", ["classify", "compare"])
def test_sequence_models_read_trees_as_tokens(model: str, task: str, tmp_path: Path) -> None:
    cell = {"hidden": 10}
    _run(write_trees(tmp_path / "data.jsonl", task, 60), tmp_path / "run", small(task, model=model, cell=cell, epochs=1))
    assert (tmp_path / "run" / "test.json").exists()


def test_a_model_learns_what_is_easy(tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "classify", 600, height=1)
    trainer = _run(data, tmp_path / "run", small("classify", epochs=15, cell={"hidden": 16}, learning_rate=0.01))
    assert trainer.progress.best > 0.9


@pytest.mark.parametrize(
    ("task", "rows", "message"),
    [
        ("classify", "compare", "the task classify needs one 'tree' per row"),
        ("compare", "classify", "the task compare needs two trees per row"),
        ("tag", "classify", "no node has a class"),
        ("classify", "tag", "'label' is missing"),
        ("regress", "compare", "the task regress needs one 'tree' per row"),
    ],
)
def test_rows_that_do_not_fit_the_task_are_refused(task: str, rows: str, message: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", rows)
    with pytest.raises(DataError, match=message):
        Trainer(data, tmp_path / "run", small(task), device="cpu")
    assert not (tmp_path / "run").exists()


def test_numbers_are_needed_for_regress(tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "classify", label="warm")
    with pytest.raises(DataError, match="'label' is 'warm', not a finite number; for classes use the task classify"):
        Trainer(data, tmp_path / "run", small("regress"), device="cpu")
    with pytest.raises(DataError, match="training has 1 class; at least 2 are needed"):
        Trainer(data, tmp_path / "run", small("classify"), device="cpu")


def test_a_model_of_trees_is_not_taken_for_one_of_equations(tmp_path: Path) -> None:
    _run(write_trees(tmp_path / "data.jsonl", "classify"), tmp_path / "run", small("classify", epochs=1))
    with pytest.raises(DataError, match=r"a model of trees \(task classify\), not of equations"):
        load(tmp_path / "run" / "model.safetensors")


@pytest.mark.parametrize(
    ("task", "row", "message"),
    [
        ("classify", {"tree": "(NEW 1 2)", "label": 1}, "line 121: unknown function 'NEW'"),
        ("regress", {"tree": "(MAX 1 2)", "label": "warm"}, "line 121: 'label' is 'warm', not a finite number"),
        ("regress", {"tree": "(MAX 1 2)", "label": True}, "line 121: 'label' is True, not a finite number"),
        ("regress", {"tree": "(MAX 1 2)", "label": 10**400}, "line 121: 'label' is too large"),
        ("regress", {"tree": "(MAX 1 2)", "label": float("inf")}, "line 121: 'label' is inf; write a finite number"),
        ("compare", {"tree": "(MAX 1 2)", "label": "same"}, "some rows have one tree and others two"),
    ],
)
def test_a_faulty_test_row_is_found_before_training(task: str, row: dict[str, Any], message: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", task, split="train")
    with data.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row | {"split": "test"}) + "\n")
    with pytest.raises(DataError, match=message) as error:
        Trainer(data, tmp_path / "run", small(task), device="cpu")
    assert str(data) in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("task", TASKS)
def test_a_test_without_answers_is_no_fault(task: str, tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", task, split="train")
    tree = {"left": "(MAX 1 2)", "right": "1"} if task == "compare" else {"tree": "(MAX 1 2)"}
    with data.open("a", encoding="utf-8") as file:
        file.write(json.dumps(tree | {"split": "test"}) + "\n")
    _run(data, tmp_path / "run", small(task, epochs=1))
    assert json.loads((tmp_path / "run" / "test.json").read_text())["overall"]["trees"] == 0


def test_tags_are_needed_for_validation(tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "tag", split="train")
    with data.open("a", encoding="utf-8") as file:
        file.write('{"tree": "(MAX 1 2)", "split": "validation"}\n')
    with pytest.raises(DataError, match="no node of the validation rows has a class"):
        Trainer(data, tmp_path / "run", small("tag"), device="cpu")


@pytest.mark.parametrize("classes", [(True, 2), (False, 2.5), (2**60 + 1, 2.5), (10**30, 1), (True, 1), ("a", 1)])
def test_classes_of_any_kinds_are_written(classes: tuple[Any, Any], tmp_path: Path) -> None:
    rows = [{"tree": f"(f {i % 2})", "label": classes[i % 2]} for i in range(40)]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _run(data, tmp_path / "run", small("classify", epochs=1))
    found = pq.read_table(tmp_path / "run" / "predictions.parquet").to_pydict()["label"]
    assert found
    assert set(found) <= {value if isinstance(value, str) else json.dumps(value) for value in classes}


def test_constant_numbers_have_no_r2(tmp_path: Path) -> None:
    data = write_trees(tmp_path / "data.jsonl", "regress", label=3.3)
    _run(data, tmp_path / "run", small("regress", epochs=1))
    assert json.loads((tmp_path / "run" / "test.json").read_text())["overall"]["r2"] is None
    assert load_tree_model(tmp_path / "run" / "model.safetensors").answer_kind.scale == 1.0
