"""Substitutivity: whether a model treats expressions of equal value alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from treesmu.data import Dataset

from ..probes.agreement import agreement
from ..probes.equal_rewrites import EqualRewrites
from ..probes.state_map import StateMap
from ..probes.trained_model import load_trained, predictions, sample_each_depth, unit_states
from ..probes.value_classes import ValueClasses, purity, silhouette
from ..study import TREE_MODELS, Count, PlannedRun, Setup, Study


class Substitutivity(Study):
    """Substitutivity: does a model treat expressions of equal value alike?

    Models trained on equations of depth 1-7. A figure (as in the paper): states of expressions of height 1-3 from the test
    equations, embedded in the plane by t-SNE and coloured by value; all models have the same expressions and settings. Two
    numbers: the *purity*, which is the share of equal values among the 10 nearest neighbours of an expression, and the
    *silhouette*, both with the distance of states scaled to length 1, compared with chance and with an untrained model. The
    behaviour (Hupkes et al. 2020): one sub-expression of a test equation is replaced by another of equal value from the test
    equations that is not higher (equations that would become a = a are left out); *agreement* is the share of equations with
    the same prediction before and after. A constant predictor agrees with itself perfectly, so accuracy before and after is
    reported next to it.
    """

    name = "substitutivity"
    title = "Substitutivity"

    models: tuple[str, ...] = TREE_MODELS
    classes: int = Field(12, ge=2)  # values: 0, 1 and the most frequent ones
    per_class: int = Field(50, ge=2)  # expressions, at most
    neighbours: Count = 10
    perplexity: float = Field(30.0, ge=1, allow_inf_nan=False)
    equations: Count = 500  # at most, of each depth

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.plan_runs(setup, self.models)

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return the figure, its numbers, and the agreement.

        ``classes``: names of values, such as "0", "1", "x"; ``expressions``: for each ``text``, ``height``, ``class`` (an
        index of classes) and ``place`` [x, y] in the figure; ``purity``, ``silhouette``, and both of an untrained model as
        ``fresh``; ``chance``: the purity of random positions; ``neighbours``, ``perplexity``.
        ``replaced``: ``equations``, ``agreement``, ``accuracy_before``, ``accuracy_after``, the same ``by_depth``.
        """
        test = sample_each_depth(Dataset.read(corpora[run.corpus], "test"), self.equations, 0)  # the same for every model
        rewrites = EqualRewrites.from_prefix(test.prefix)
        model = load_trained(folder)
        return self._figure(run, model, rewrites) | {"replaced": self._replaced(model, test, rewrites)}

    def _figure(self, run: PlannedRun, model: Any, rewrites: EqualRewrites) -> dict[str, Any]:
        from treesmu.training.fresh_model import fresh_model

        found = ValueClasses.select(rewrites, self.classes, self.per_class)
        trained, untrained = (unit_states(m, found.texts) for m in (model, fresh_model(run.settings, model.encoder.vocab)))
        positions = StateMap(trained, self.perplexity).positions
        numbers = [
            {"purity": purity(s, found.number, self.neighbours), "silhouette": silhouette(s, found.number)}
            for s in (trained, untrained)
        ]
        return {
            "classes": found.names,
            "expressions": [e | {"place": position} for e, position in zip(found.to_json(), positions, strict=True)],
            **numbers[0],
            "fresh": numbers[1],
            "chance": found.chance(),
            "neighbours": self.neighbours,
            "perplexity": self.perplexity,
        }

    def _replaced(self, model: Any, test: Dataset, rewrites: EqualRewrites) -> dict[str, Any]:
        rows, texts = rewrites.replace_one(seed=0)
        before = test.take(rows)
        return agreement(predictions(model, before.prefix), predictions(model, texts), before.label, before.depth)
