"""Ideas for the recipe `treesmu` that are no settings of it, each measured.   Run: python benchmarks/ideas.py OUT

noise         Gaussian noise on the state of every inner node in training, before the layer norm; sigma is relative to the
              standard deviation of the state. The compiled pass has no place for it: these runs, and `noise 0`, which has
              none, use the hand-written pass (the same values up to rounding).
derivatives   a second linear map learns d/dt of the value of each sub-expression at the point, all variables moved by t.
curriculum    batches of shallow equations first; or deep equations drawn more often.
distillation  students of n = 25, also with the logits of the shipped Tree-SMU on the training equations as soft targets.

Every variant is a run folder in OUT; those that are finished are not trained again. The corpus, OUT/corpus, is generated if it
does not exist (preset hard, seed 3). Validation decides; the test, depth 1-7 and 8-19, is shown beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

import treesmu
from treesmu.data import Forest
from treesmu.data.augment.value_targets import ValueTargets
from treesmu.tasks.values import ValueMap, value_loss
from treesmu.tasks.verification import Verification
from treesmu.tasks.verify import logits_of
from treesmu.training.batches import Batches, TrainingBatch
from treesmu.training.optimization import Optimization
from treesmu.training.random_streams import ORDER, VALUES, rng_for
from treesmu.training.run_folder import RunFolder
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer
from treesmu.training.training_data import TrainingData

CORPUS = "--preset hard --seed 3 --per-depth 1000".split()
STUDENT = 25  # n

# -- noise on states -----------------------------------------------------------------------------------------------------


class NoisyStep:
    """The hand-written step of a cell, with noise on its states. Noise is a constant: the way down is that of the step."""

    def __init__(self, encoder: Any, sigma: float) -> None:
        self.encoder, self.step, self.sigma = encoder, encoder.cell.hand_written_step(), sigma

    def __getattr__(self, name: str) -> Any:
        return getattr(self.step, name)

    def up(self, level: Any, rows: Any) -> None:
        """Compute a level. The trainer seeds PyTorch's random numbers before every step."""
        self.step.up(level, rows)
        if self.encoder.training:
            deviation = level.h.std(1, correction=0, keepdim=True)  # (m, 1)
            level.h.addcmul_(torch.randn_like(level.h), deviation, value=self.sigma)


def add_noise(trainer: Trainer, sigma: float) -> None:
    step = NoisyStep(trainer.model.encoder, sigma)
    trainer.model.encoder.cell.hand_written_step = lambda: step


# -- derivatives ---------------------------------------------------------------------------------------------------------


class ValuesAndSlopes(ValueTargets):
    """Values at the points, followed by derivatives there: (nodes, 2 points). By central differences."""

    step = 1e-4

    def values(self, forest: Forest, points: Any = None) -> Any:
        after, before = (super(ValuesAndSlopes, self).values(forest, points + side * self.step) for side in (1, -1))
        return np.hstack([super().values(forest, points), (after - before) / (2 * self.step)])


class SlopeLoss(Optimization):
    """The losses of the recipe, and the value loss of a second map for derivatives."""

    def __init__(self, weight: float, *args: Any) -> None:
        super().__init__(*args)
        assert self.value_map is not None
        self.weight, self.states = weight, torch.empty(0)
        self.slope_map = ValueMap(self.value_map.weight.shape[1], rng_for(VALUES, self.settings.seed, 1), 1)
        self.value_map.register_forward_pre_hook(lambda _, given: setattr(self, "states", given[0]))
        self.parameters += self.slope_map.parameters()
        self.adam.add_param_group({"params": list(self.slope_map.parameters())})

    def loss(self, batch: TrainingBatch) -> Tensor:
        assert batch.targets is not None
        values, slopes = batch.targets.chunk(2, dim=1)
        loss = super().loss(replace(batch, targets=values, target_weight=1 / max(1, int(values.isfinite().sum()))))
        predicted: Tensor = self.slope_map(self.states)
        return loss + self.weight * value_loss(predicted, slopes) / max(1, int(slopes.isfinite().sum()))


def add_slopes(trainer: Trainer, weight: float) -> None:
    trainer.batches.values = ValuesAndSlopes(trainer.data.vocab)
    trainer.optimization = SlopeLoss(weight, trainer.model, trainer.task, trainer.settings, trainer.process_group)


# -- curricula -----------------------------------------------------------------------------------------------------------


class ByDepth(Batches):
    """Batches drawn by depth. share: of all steps in which the greatest depth rises from ``first`` to that of the corpus.

    power: an equation of depth d is drawn with a weight of d to this power. With share = power = 0 it is as usual.
    """

    def __init__(self, trainer: Trainer, first: int, share: float, power: float) -> None:
        super().__init__(trainer.data, trainer.settings, trainer.process_group)
        self.first, self.share, self.power = first, share, power

    def deepest(self, epoch: int, step: int) -> int:
        """Return the greatest depth in a batch."""
        done, last = (epoch * self.steps + step) / (self.settings.epochs * self.steps), int(self.data.train.depth.max())
        return last if done >= self.share else self.first + int((last - self.first + 1) * done / self.share)

    def rows(self, epoch: int) -> list[Any]:
        """Return the rows of each batch: as usual if all depths are allowed and equal, otherwise drawn for each batch."""
        depth, found = self.data.train.depth, super().rows(epoch)
        for step, rows in enumerate(found):
            deepest = self.deepest(epoch, step)
            if self.power or deepest < depth.max():
                weight = (depth <= deepest) * depth.astype(float) ** self.power
                rng = rng_for(ORDER, self.settings.seed, epoch, step)
                found[step] = rng.choice(len(depth), len(rows), p=weight / weight.sum())
        return found


def order_by_depth(trainer: Trainer, first: int = 3, share: float = 0.0, power: float = 0.0) -> None:
    trainer.batches = ByDepth(trainer, first, share, power)


# -- distillation --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TaughtData(TrainingData):
    """Training equations with the logits of a teacher, (rows,)."""

    logits: Any

    def answers(self, rows: Any, inputs: Any) -> Tensor:
        return torch.stack([super().answers(rows, inputs), torch.from_numpy(self.logits[rows])], dim=1)


@dataclass
class Distillation(Verification):
    """Cross-entropy with labels, and with the teacher's probabilities, both logits divided by a temperature T, times T²."""

    weight: float
    temperature: float

    def loss(self, outputs: Tensor, answers: Tensor) -> Tensor:
        (label, teacher), t = answers.unbind(1), self.temperature
        soft = F.binary_cross_entropy_with_logits(outputs / t, (teacher / t).sigmoid(), reduction="sum")
        return (1 - self.weight) * super().loss(outputs, label) + self.weight * t**2 * soft


def add_teacher(trainer: Trainer, weight: float, temperature: float = 2.0, teacher: Any = None) -> None:
    known = {of.name: getattr(trainer.data, of.name) for of in fields(TrainingData)}
    logits = logits_of(teacher or treesmu.load(), trainer.data.train).astype(np.float32)
    trainer.batches.source = TaughtData(**known, logits=logits)
    trainer.optimization.task = Distillation(weight, temperature)


# -- the study -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """One row of the table. change: what is done to the trainer before it runs. hidden: n, if it is not that of the study."""

    idea: str
    name: str
    change: Callable[[Trainer], None] = lambda _: None
    hidden: int | None = None


VARIANTS = [
    Variant("baseline", "nothing changed"),
    *(Variant("noise", f"noise {sigma}", partial(add_noise, sigma=sigma)) for sigma in (0, 0.05, 0.1, 0.2)),
    *(Variant("derivatives", f"derivatives, weight {w}", partial(add_slopes, weight=w)) for w in (1, 5)),
    Variant("curriculum", "depth 1-3 first, all from half on", partial(order_by_depth, share=0.5)),
    Variant("curriculum", "depth 1-3 first, all from a quarter on", partial(order_by_depth, share=0.25)),
    Variant("curriculum", "deep equations more often", partial(order_by_depth, power=1.0)),
    Variant("distillation", "student alone", hidden=STUDENT),
    *(Variant("distillation", f"student, teacher {w}", partial(add_teacher, weight=w), hidden=STUDENT) for w in (0.5, 1)),
]


def measured(variant: Variant, seed: int, given: argparse.Namespace) -> list[float]:
    """Train a variant unless that is done; return its accuracy on validation, and on the test at depth 1-7 and 8-19."""
    shape = {"cell": {"hidden": variant.hidden or given.hidden}, "epochs": given.epochs, "rows": given.equations}
    settings = TrainSettings.of("treesmu", model="tree-smu", depths=(1, 7), seed=seed, **shape)
    folder = RunFolder(given.out / f"{variant.name.replace(', ', ' ').replace(' ', '-')}-seed-{seed}")
    if folder.test.exists():
        folder.check_settings(settings.model_dump(mode="json"))
    else:
        shutil.rmtree(folder.path, ignore_errors=True)  # what an interrupted run has left
        trainer = Trainer(given.out / "corpus", folder.path, settings, device="cpu")
        variant.change(trainer)
        trainer.run()
    found = json.loads(folder.test.read_text(encoding="utf-8"))
    by_depth = {int(depth): here for depth, here in found["by_depth"].items()}
    parts = [[here for depth, here in by_depth.items() if a <= depth <= b] for a, b in ((1, 7), (8, 19))]
    test = [np.average([h["accuracy"] for h in part], weights=[h["equations"] for h in part]) for part in parts]
    return [100 * float(share) for share in (found["validation"]["accuracy"], *test)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder for the corpus and the runs")
    ideas = list(dict.fromkeys(variant.idea for variant in VARIANTS))
    parser.add_argument("--only", choices=ideas, nargs="+", default=ideas, metavar="IDEA", help=" ".join(ideas))
    parser.add_argument("--seed", type=int, nargs="+", default=[12093], help="one or more (default: 12093)")
    parser.add_argument("--equations", type=int, help="of training (default: all 24,487)")
    parser.add_argument("--epochs", type=int, default=8, help="(default: 8)")
    parser.add_argument("--hidden", type=int, default=50, help="n (default: 50)")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    torch.set_num_threads(1)  # as the commands do
    if not (given.out / "corpus").exists():
        subprocess.run([sys.executable, "-m", "treesmu", "generate", given.out / "corpus", *CORPUS, "--jobs", "1"], check=True)
    print("| idea | variant | seed | validation | 1-7 | 8-19 |", "|---|---|---|---|---|---|", sep="\n")
    for seed in given.seed:
        for variant in VARIANTS:
            if variant.idea in given.only:
                cells = " | ".join(f"{share:.1f}" for share in measured(variant, seed, given))
                print(f"| {variant.idea} | {variant.name} | {seed} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
