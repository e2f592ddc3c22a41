"""The ideas of benchmarks/ideas.py: what each does to training, on a few equations."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from corpora import write_corpus, write_manifest
from paths import ROOT
from treesmu.data import CorpusPlan, Vocab
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.expr import parse
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer


def nested(depth: int, name: str) -> str:
    return f"sin({nested(depth - 1, name)})" if depth else name


ROWS = [
    (f"{nested(d, a)} = {nested(d, b)}", int(a == b), "near-miss") for d in range(1, 10) for a, b in ("xx", "xy", "yy", "yx")
]


@pytest.fixture(scope="module")
def ideas() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield importlib.import_module("ideas")
    sys.modules.pop("ideas", None)


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    corpus = write_manifest(write_corpus(tmp_path / "corpus", ROWS))
    settings = TrainSettings.of("treesmu", cell={"hidden": 8}, points=2, batch=4, epochs=4, seed=1)
    return Trainer(corpus, tmp_path / "run", settings, device="cpu")


def first_batch(trainer: Trainer) -> Any:
    return trainer.batches.prepare(0, 0, trainer.batches.rows(0)[0])


def weights_after_a_step(trainer: Trainer) -> torch.Tensor:
    trainer.model.train()
    trainer.optimization.step(first_batch(trainer), 0.01)
    return torch.cat([p.detach().flatten().clone() for p in trainer.model.parameters()])


# -- noise ---------------------------------------------------------------------------------------------------------------


def test_noise_is_on_states_in_training_mode_only(ideas: ModuleType, trainer: Trainer) -> None:
    forest, encoder = first_batch(trainer).inputs, trainer.model.encoder
    plain = encoder.nodes(forest)
    ideas.add_noise(trainer, 0.1)
    encoder.eval()
    torch.testing.assert_close(encoder.nodes(forest), plain)
    encoder.train()
    noisy, leaves = encoder.nodes(forest), len(forest.leaf)
    torch.testing.assert_close(noisy[:leaves], plain[:leaves])
    assert (noisy[leaves:] - plain[leaves:]).abs().mean(1).min() > 0.01  # every inner node, none by much
    assert not torch.equal(encoder.nodes(forest), noisy)  # new noise each time
    torch.testing.assert_close(noisy.mean(1), torch.zeros(len(noisy)), atol=1e-5, rtol=0)  # layer norm comes after it


def test_noise_of_sigma_has_that_size_relative_to_the_state(ideas: ModuleType) -> None:
    class Step:
        def up(self, level: Any, rows: Any) -> None:
            level.h.copy_(rows)

    cell = argparse.Namespace(hand_written_step=Step)
    step = ideas.NoisyStep(argparse.Namespace(cell=cell, training=True), 0.2)
    h = torch.randn(500, 400) * 7
    level = argparse.Namespace(h=h.clone())
    step.up(level, h)
    assert ((level.h - h).std() / h.std()).item() == pytest.approx(0.2, rel=0.02)


def test_gradients_with_noise_are_those_of_finite_differences(ideas: ModuleType, trainer: Trainer) -> None:
    ideas.add_noise(trainer, 0.3)
    encoder, forest = trainer.model.encoder.double().train(), first_batch(trainer).inputs
    target = torch.randn(forest.size, 8, dtype=torch.float64)
    deviation = torch.Tensor.std
    fixed: list[torch.Tensor] = []  # noise is a constant in the gradient: the deviations of the first pass

    def loss(values: list[torch.Tensor] | None = None) -> torch.Tensor:
        torch.manual_seed(5)
        queue = iter(values or [])

        def std(h: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
            found = next(queue) if values else deviation(h, *args, **kwargs)
            fixed.append(found.clone())
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(torch.Tensor, "std", std)
            return (encoder.nodes(forest) * target).sum()

    loss().backward()
    used, weight = list(fixed), max(encoder.parameters(), key=lambda p: 0.0 if p.grad is None else p.grad.abs().max().item())
    assert weight.grad is not None
    place, found, eps = int(weight.grad.abs().argmax()), [], 1e-6
    for side in (eps, -2 * eps):
        with torch.no_grad():
            weight.view(-1)[place] += side
        found.append(loss(used).item())
    assert (found[0] - found[1]) / (2 * eps) == pytest.approx(weight.grad.view(-1)[place].item(), rel=1e-5)


# -- derivatives ---------------------------------------------------------------------------------------------------------


def test_slopes_are_derivatives_with_all_variables_moved_together(ideas: ModuleType) -> None:
    vocab = Vocab.default()
    forest = CorpusPlan.from_exprs([parse("x^2*y"), parse("sqrt(x)"), parse("2")], vocab).batch(np.arange(3))
    points = np.full((len(vocab.leaves), 2), np.nan)
    points[vocab.leaves.index("x")], points[vocab.leaves.index("y")] = (3.0, -1.0), (5.0, 2.0)
    found = ideas.ValuesAndSlopes(vocab).values(forest, points)
    np.testing.assert_array_equal(found[:, :2], ValueTargets(vocab).values(forest, points))
    slopes = found[forest.roots[:, 0], 2:]
    expected = [[2 * 3 * 5 + 9, 2 * -1 * 2 + 1], [0.5 / np.sqrt(3), np.nan], [0, 0]]
    np.testing.assert_allclose(slopes, expected, atol=1e-6)


def test_derivatives_add_a_loss_and_leave_that_of_values_as_it_was(ideas: ModuleType, trainer: Trainer) -> None:
    plain = trainer.optimization.loss(first_batch(trainer)).item()
    ideas.add_slopes(trainer, 0.0)
    batch = first_batch(trainer)
    assert batch.targets.shape[1] == 4  # two points
    assert trainer.optimization.loss(batch).item() == pytest.approx(plain, rel=1e-6)
    trainer.optimization.weight = 1.0
    assert trainer.optimization.loss(batch).item() > plain + 0.01
    before = trainer.optimization.slope_map.weight.detach().clone()
    trainer.optimization.step(batch, 0.01)
    assert not torch.equal(trainer.optimization.slope_map.weight, before)


# -- curricula -----------------------------------------------------------------------------------------------------------


def test_a_curriculum_begins_with_shallow_batches_and_ends_with_all_depths(ideas: ModuleType, trainer: Trainer) -> None:
    usual, depth = trainer.batches.rows(3), trainer.data.train.depth
    ideas.order_by_depth(trainer, first=3, share=0.5)
    deepest = [[int(depth[rows].max()) for rows in trainer.batches.rows(epoch)] for epoch in range(4)]
    assert len(deepest[0]) == trainer.batches.steps
    assert max(deepest[0][:2]) <= 3
    allowed = [trainer.batches.deepest(epoch, step) for epoch in range(4) for step in range(trainer.batches.steps)]
    assert allowed == sorted(allowed)
    assert set(allowed) == set(range(3, int(depth.max()) + 1))
    assert allowed.index(depth.max()) <= len(allowed) // 2
    assert all(d <= most for d, most in zip(chain(*deepest), allowed, strict=True))
    for rows, same in zip(trainer.batches.rows(3), usual, strict=True):
        np.testing.assert_array_equal(rows, same)


def test_deep_equations_are_drawn_more_often(ideas: ModuleType, trainer: Trainer) -> None:
    depth = trainer.data.train.depth
    ideas.order_by_depth(trainer, power=1.0)
    drawn = np.concatenate([rows for epoch in range(40) for rows in trainer.batches.rows(epoch)])
    assert depth[drawn].mean() == pytest.approx((depth.astype(float) ** 2).mean() / depth.mean(), rel=0.05)


# -- distillation --------------------------------------------------------------------------------------------------------


def test_a_teacher_of_weight_0_changes_nothing(ideas: ModuleType, trainer: Trainer) -> None:
    plain = trainer.optimization.loss(first_batch(trainer)).item()
    ideas.add_teacher(trainer, 0.0, teacher=trainer.model)
    assert trainer.optimization.loss(first_batch(trainer)).item() == pytest.approx(plain, rel=1e-6)
    assert weights_after_a_step(trainer).isfinite().all()


def test_the_soft_loss_is_least_for_the_logits_of_the_teacher(ideas: ModuleType) -> None:
    teacher, label = torch.tensor([3.0, -1.0, 0.5]), torch.tensor([1.0, 1.0, 0.0])
    logits = teacher.clone().requires_grad_()
    task = ideas.Distillation(1.0, 2.0)
    task.loss(logits, torch.stack([label, teacher], dim=1)).backward()
    torch.testing.assert_close(logits.grad, torch.zeros(3))
    (half,) = (ideas.Distillation(0.5, 1.0).loss(logits, torch.stack([label, label * 80 - 40], dim=1)),)  # a sure teacher
    torch.testing.assert_close(half, ideas.Distillation(0.0, 1.0).loss(logits, torch.stack([label, teacher], dim=1)))


def test_answers_are_labels_and_logits_of_the_same_rows(ideas: ModuleType, trainer: Trainer) -> None:
    ideas.add_teacher(trainer, 0.5, teacher=trainer.model)
    rows, data = np.array([5, 0, 7]), trainer.batches.data
    expected = np.stack([data.train.label[rows], data.logits[rows]], axis=1)
    np.testing.assert_allclose(data.answers(rows, None).numpy(), expected)
    assert len(np.unique(data.logits)) > 3


# -- the study -----------------------------------------------------------------------------------------------------------


def test_every_variant_is_trained_once_and_gives_three_accuracies(
    ideas: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_manifest(write_corpus(tmp_path / "corpus", ROWS))
    given = argparse.Namespace(out=tmp_path, epochs=1, hidden=4, equations=12)
    for variant in ideas.VARIANTS:
        found = ideas.measured(replace(variant, hidden=4), 1, given)
        assert len(found) == 3
        assert all(0 <= share <= 100 for share in found)
    assert len({folder.name for folder in tmp_path.glob("*-seed-1")}) == len(ideas.VARIANTS)
    monkeypatch.setattr(ideas, "Trainer", None)  # nothing is trained again
    assert ideas.measured(replace(ideas.VARIANTS[-1], hidden=4), 1, given) == found


def test_a_folder_with_results_of_other_settings_is_refused(ideas: ModuleType, tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path / "corpus", ROWS))
    given = argparse.Namespace(out=tmp_path, epochs=1, hidden=4, equations=12)
    ideas.measured(ideas.VARIANTS[0], 1, given)
    with pytest.raises(ideas.treesmu.errors.DataError, match="other settings"):
        ideas.measured(ideas.VARIANTS[0], 1, argparse.Namespace(**{**vars(given), "epochs": 2}))
