"""The loss has the weights that the settings ask for, and gradients are clipped."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from small_runs import first_batch, small
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


def test_pairs_are_as_many_as_asked_for_and_weigh_what_was_asked(corpus: Path, tmp_path: Path) -> None:
    trainer, few = first_batch(corpus, tmp_path, small("treesmu", pairs=10, rename=False, substitutes=0))
    assert few.pairs is not None
    assert few.pairs.label.tolist() == [1] * 5 + [0] * 5
    alone = Trainer(corpus, tmp_path / "run", small("treesmu", subexpressions=0, rename=False, substitutes=0))
    without = alone.optimization.loss(alone.batches.prepare(0, 0, alone.batches.rows(0)[0])).item()
    double = Trainer(corpus, tmp_path / "run", small("treesmu", pairs=10, subexpressions=4, rename=False, substitutes=0))
    once, twice = trainer.optimization.loss(few).item() - without, double.optimization.loss(few).item() - without
    assert twice == pytest.approx(2 * once, rel=1e-4)
    assert once > 0


def test_gradients_are_clipped_to_the_norm_that_is_set(corpus: Path, tmp_path: Path) -> None:
    def norm(clip: float) -> float:
        trainer, batch = first_batch(corpus, tmp_path, small(clip=clip))
        trainer.optimization.step(batch, 1e-3)
        return float(torch.cat([p.grad.flatten() for p in trainer.model.parameters() if p.grad is not None]).norm())

    assert norm(1e-3) == pytest.approx(1e-3, rel=1e-3)
    assert norm(0) == pytest.approx(norm(1e6), rel=1e-5)
    assert norm(0) > 1e-3
