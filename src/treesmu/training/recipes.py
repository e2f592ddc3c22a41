"""Recipes: named settings of training."""

from __future__ import annotations

from typing import Any

# The paper's way to train, and three of ours, for equations and tree models: the best one; the best one of those in which
# variables are symbols, as in the paper; and that of treesmu 0.1. The last one is for the tasks of other trees. Every part of a
# recipe is also a setting of its own. Settings of the cell hold for models that have them: a cell of a user's own may not.
RECIPES: dict[str, dict[str, Any]] = {
    "paper": {},
    "treesmu": {
        "cell": {"depth": 2, "expansion": 2},
        "head": "distance",
        "norm": "layer",
        "points": 8,
        "values": 5.0,
        "subexpressions": 2.0,
        "batch": 64,
        "learning_rate": 4e-3,
        "schedule": "linear",
        "warmup": 400,
        "clip": 1.0,
    },
    "treesmu-1": {
        "head": "distance",
        "norm": "unit",
        "subexpressions": 2.0,
        "rename": True,
        "substitutes": 250_000,
        "batch": 128,
        "learning_rate": 4e-3,
        "schedule": "linear",
    },
    "treesmu-symbols": {
        "cell": {"depth": 2, "expansion": 4},
        "head": "distance",
        "norm": "layer",
        "values": 2.0,
        "subexpressions": 4.0,
        "pairs": 1200,
        "rename": True,
        "substitutes": 250_000,
        "batch": 128,
        "learning_rate": 4e-3,
        "schedule": "linear",
        "warmup": 400,
        "clip": 1.0,
    },
    "trees": {
        "norm": "layer",
        "batch": 64,
        "epochs": 20,
        "learning_rate": 4e-3,
        "schedule": "linear",
        "warmup": 200,
        "weight_decay": 1e-4,
        "clip": 1.0,
    },
}
