"""What the settings of a run say of its task, and which of them belong together."""

from __future__ import annotations

from typing import Any

from treesmu import registry
from treesmu.task_names import Readout

OF_TREES = ("task", "readout", "loss", "nodes", "numbers", "rare", "most_children")  # no part of a run of equations
OF_ONE_TASK = {"loss": "regress", "nodes": "tag"}  # of trees
OF_EQUATIONS = (
    "head",
    "pairs",
    "points",
    "values",
    "subexpressions",
    "ranking",
    "rename",
    "substitutes",
    "stream",
    "mixture",
    "exclude",
    "start_from",
)


def default_recipe(task: object) -> str:
    """Return the recipe of a task if none is given."""
    return "paper" if task == "verify" else "trees"


def default_readout(task: str) -> Readout:
    """Return how a task's answer is computed from states if nothing is said."""
    return "network" if task == "compare" else "linear"


def _task_of(name: str) -> str:
    return f"the task {OF_ONE_TASK[name]}" if name in OF_ONE_TASK else "equations (task verify)"


def check_task(settings: Any) -> None:
    """Raise a ValueError if a setting belongs to another task. settings: TrainSettings."""
    task, model = settings.task, settings.model
    if task != "verify" and settings.recipe not in ("paper", "trees"):
        raise ValueError(f"the recipe {settings.recipe} is for equations (task verify); leave it out for the task {task}")
    others = (*OF_EQUATIONS, *OF_ONE_TASK) if task != "verify" else OF_TREES[1:]
    fields = type(settings).model_fields
    for name in others:
        is_default = getattr(settings, name) == fields[name].get_default(call_default_factory=True)
        if not is_default and OF_ONE_TASK.get(name) != task:
            whose = "the tasks of trees: --task classify, ..." if task == "verify" else _task_of(name)
            raise ValueError(f"{name} is a setting of {whose}; leave it out for the task {task}")
    if task == "verify":
        return
    if reason := why_impossible(task, model):
        raise ValueError(reason)
    if settings.readout in ("dot", "distance") and task != "compare":
        raise ValueError(f"readout {settings.readout} compares two trees; the task {task} has linear and network")


def why_impossible(task: str, model: str) -> str | None:
    """Return why a model cannot do a task; None if it can."""
    if task != "verify" and model == "majority":
        return "the model majority is for equations; test.json has the share of the most common class as majority"
    if task == "tag" and not registry.is_tree_model(model):
        return f"the task tag is for tree models; {model} has no states of nodes"
    return None
