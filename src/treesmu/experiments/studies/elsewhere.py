"""Elsewhere: whether the stack helps on trees that are no equations."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from treesmu.training.task_settings import why_impossible

from ..own_corpus import OwnCorpus
from ..study import PlannedRun, Setup, Study, TrainingChanges
from ..tree_corpus import TreeCorpus
from ..tree_files import TreeFiles


class Elsewhere(Study):
    """Elsewhere: does the stack help other tasks to generalise to depth?

    Other trees than equations: nested lists of digits (ListOps), pairs of propositional formulas, boolean formulas, arithmetic
    modulo 5, or trees of a user's own. Models are trained on shallow trees (formulas with few operators) and tested on new ones
    of the same depths and on deeper ones. The answers of generated trees are exact and need nothing but the tree, so that a
    model that has learned each function generalises to any depth. The measure is accuracy by depth, of trees or for the task
    tag of nodes, and R² for numbers; for logic, depth is the number of operators.
    """

    name = "elsewhere"
    title = "Elsewhere"

    corpora: tuple[str, ...] = ("listops", "logic", "boolean", "modular")
    recipes: tuple[str, ...] = ("trees",)
    models: tuple[str, ...] = ("lstm", "transformer", "tree-rnn", "stack-tree-rnn", "tree-lstm", "tree-smu")
    changes: dict[str, TrainingChanges] = Field(
        default_factory=dict
    )  # settings of training by corpus or by model, such as a learning rate

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield a run for each seed, corpus and model."""
        for seed in self.seeds:
            for corpus in self.corpora:
                task = _task(setup, corpus)
                for model in self.models:
                    if self._is_planned("trees", model, seed) and not why_impossible(task, model):
                        of_both = self.changes.get(corpus, {}) | self.changes.get(model, {})
                        yield self._plan_run(
                            setup, corpus, "trees", model, **{"depths": None, "seed": seed, "task": task, **of_both}
                        )

    def left_out(self, setup: Setup) -> list[str]:
        """Return the models that cannot do the task of a corpus."""
        pairs = [(corpus, model) for corpus in self.corpora for model in self.models]
        reasons = {pair: why_impossible(_task(setup, pair[0]), pair[1]) for pair in pairs}
        return [f"{model} on {corpus}: {reason}" for (corpus, model), reason in reasons.items() if reason]

    def require(self, corpus: OwnCorpus, setup: Setup) -> None:  # noqa: ARG002
        raise ValueError("it is about trees that are no equations; name their task with --task")

    def require_trees(self) -> None:
        """Every task of trees is possible."""


def _task(setup: Setup, corpus: str) -> str:
    source = setup.corpora[corpus]
    if not isinstance(source, TreeCorpus | TreeFiles):
        raise ValueError(f"study elsewhere: the corpus {corpus} has equations; name other trees")
    return source.task
