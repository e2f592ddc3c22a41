"""The learning rate of every step: a schedule over the whole run, after a linear increase at its start."""

from __future__ import annotations

import math

from ..settings import TrainSettings


def learning_rate(settings: TrainSettings, done: int, steps: int) -> float:
    """Return the learning rate of the next step. done: the number of steps before it; steps: of the whole run."""
    share = done / steps
    decay = {"constant": 1.0, "linear": 1 - share, "cosine": (1 + math.cos(math.pi * share)) / 2}[settings.schedule]
    warm = min(1.0, (done + 1) / settings.warmup) if settings.warmup else 1.0
    return settings.learning_rate * decay * warm
