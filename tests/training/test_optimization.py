"""The loss has the weights that the settings ask for, gradients are clipped, and a compiled step is one of PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from small_runs import first_batch, small
from treesmu.compilation import why_not
from treesmu.tasks.verify import verification_loss
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


def test_pairs_are_as_many_as_asked_for_and_weigh_what_was_asked(corpus: Path, tmp_path: Path) -> None:
    trainer, few = first_batch(corpus, tmp_path, small("treesmu-1", pairs=10, rename=False, substitutes=0))
    assert few.pairs is not None
    assert few.pairs.label.tolist() == [1] * 5 + [0] * 5
    alone = Trainer(corpus, tmp_path / "run", small("treesmu-1", subexpressions=0, rename=False, substitutes=0))
    without = alone.optimization.loss(alone.batches.prepare(0, 0, alone.batches.rows(0)[0])).item()
    double = Trainer(corpus, tmp_path / "run", small("treesmu-1", pairs=10, subexpressions=4, rename=False, substitutes=0))
    once, twice = trainer.optimization.loss(few).item() - without, double.optimization.loss(few).item() - without
    assert twice == pytest.approx(2 * once, rel=1e-4)
    assert once > 0


def test_the_value_loss_weighs_what_was_asked_and_needs_no_pairs(corpus: Path, tmp_path: Path) -> None:
    losses = []
    for weight in (0.0, 1.0, 3.0):
        trainer, batch = first_batch(corpus, tmp_path, small(values=weight))
        assert batch.pairs is None
        losses.append(trainer.optimization.loss(batch).item())
    assert losses[2] - losses[0] == pytest.approx(3 * (losses[1] - losses[0]), rel=1e-4)
    assert losses[1] > losses[0]


def test_the_value_loss_is_the_mean_over_the_targets(corpus: Path, tmp_path: Path) -> None:
    trainer, batch = first_batch(corpus, tmp_path, small(values=1.0))
    value_map, targets = trainer.optimization.value_map, batch.targets
    assert value_map is not None
    assert targets is not None
    targets[:10, 3] = torch.nan  # as where a sub-expression is undefined; all of this corpus are defined
    is_known = ~targets.isnan()
    batch = replace(batch, target_weight=1 / int(is_known.sum()))
    whole, plain = trainer.optimization.loss(batch).item(), verification_loss(trainer.model(batch.inputs), batch.label)
    predicted = value_map(trainer.model.encoder.nodes(batch.inputs))[is_known]
    mean = torch.nn.functional.smooth_l1_loss(predicted, targets[is_known], beta=0.1)
    assert whole == pytest.approx((plain * batch.weight + mean).item(), rel=1e-5)


def test_the_value_map_learns_with_the_model_and_is_no_part_of_it(corpus: Path, tmp_path: Path) -> None:
    trainer, batch = first_batch(corpus, tmp_path, small(values=1.0))
    value_map = trainer.optimization.value_map
    assert value_map is not None
    before = {name: p.detach().clone() for name, p in [*value_map.named_parameters(), *trainer.model.named_parameters()]}
    trainer.optimization.step(batch, 1e-2)
    assert all(not torch.equal(before[name], p) for name, p in value_map.named_parameters())
    assert not any("value" in name for name in trainer.model.state_dict())
    assert Trainer(corpus, tmp_path / "run", small()).optimization.value_map is None


def test_gradients_are_clipped_to_the_norm_that_is_set(corpus: Path, tmp_path: Path) -> None:
    def norm(clip: float) -> float:
        trainer, batch = first_batch(corpus, tmp_path, small(clip=clip))
        trainer.optimization.step(batch, 1e-3)
        return float(torch.cat([p.grad.flatten() for p in trainer.model.parameters() if p.grad is not None]).norm())

    assert norm(1e-3) == pytest.approx(1e-3, rel=1e-3)
    assert norm(0) == pytest.approx(norm(1e6), rel=1e-5)
    assert norm(0) > 1e-3


@pytest.mark.xdist_group("compiled")
@pytest.mark.skipif(why_not() is not None, reason=f"tree models are not compiled here: {why_not()}")
@pytest.mark.parametrize(
    "given", [{"recipe": "treesmu-1"}, {"recipe": "paper", "clip": 0.1}], ids=["treesmu-1", "paper, clipped"]
)
def test_a_compiled_step_is_one_of_pytorch(given: dict[str, Any], corpus: Path, tmp_path: Path) -> None:
    """Loss and weights after some steps, with the head, the loss and the optimizer of PyTorch or compiled."""
    trainers = [Trainer(corpus, tmp_path / "run", small(**given)) for _ in range(2)]
    for trainer, compiled in zip(trainers, (True, False), strict=True):
        trainer.model.double()
        trainer.model.encoder.compiled = compiled
    for step in range(3):
        losses = []
        for trainer in trainers:
            batch = trainer.batches.prepare(0, step, trainer.batches.rows(0)[step])
            losses.append(trainer.optimization.step(batch, 1e-2))
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)
    for ours, theirs in zip(*(trainer.model.parameters() for trainer in trainers), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-9)
    assert trainers[0].optimization.is_compiled
    assert not trainers[1].optimization.is_compiled


def test_the_value_loss_is_left_to_pytorch(corpus: Path, tmp_path: Path) -> None:
    trainer, batch = first_batch(corpus, tmp_path, small(values=1.0))
    trainer.model.encoder.compiled = True
    assert trainer.optimization._compiled(batch) is None


@pytest.mark.xdist_group("compiled")
@pytest.mark.skipif(why_not() is not None, reason=f"tree models are not compiled here: {why_not()}")
def test_a_model_with_a_frozen_weight_is_left_to_pytorch(corpus: Path, tmp_path: Path) -> None:
    trainer, batch = first_batch(corpus, tmp_path, small())
    trainer.model.encoder.compiled = True
    frozen = trainer.model.encoder.leaves.embedding.weight
    frozen.requires_grad_(requires_grad=False)
    before = frozen.clone()
    trainer.optimization.step(batch, 1e-2)
    assert not trainer.optimization.is_compiled
    assert torch.equal(frozen, before)
