"""Substitutivity: whether equal expressions are the same to a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treesmu.data import Dataset

from ..probes.agreement import agreement
from ..probes.equal_rewrites import EqualRewrites
from ..probes.trained_model import load_trained, predictions, sample_each_depth, states
from ..probes.value_classes import ValueClasses, purity, silhouette, tsne_layout
from ..study import TREES, PlannedRun, Setup, Study


class Substitutivity(Study):
    """Substitutivity: are expressions of equal value the same to a model?

    Models trained on equations of depth 1-7. As a picture (the paper): states of expressions of height 1-3, taken from the test
    equations, laid out by t-SNE and coloured by value; all models have the same expressions and settings. As numbers: the
    *purity*, the share of equal values among the 10 nearest neighbours of an expression, and the *silhouette*, both by the
    distance of states scaled to length 1, beside chance and a model with fresh weights. As behaviour (Hupkes et al. 2020):
    one sub-expression of a test equation is replaced by another of equal value, no higher, found in the test equations (what
    would become a = a is left out); *agreement* is the share of equations with the same verdict before and after. Who always
    says the same agrees always, so accuracy before and after stands beside it.
    """

    name = "substitutivity"
    title = "Substitutivity"

    models: tuple[str, ...] = TREES
    classes: int = 12  # values: the most frequent ones, 0 and 1 among them
    per_class: int = 50  # expressions, at most
    neighbours: int = 10
    perplexity: float = 30.0
    equations: int = 500  # of each depth, at most

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.each(setup, self.models)

    def analyse(self, run: PlannedRun, folder: Path, corpus: Path) -> dict[str, Any]:
        """The picture, its numbers, and the agreement.

        ``classes``: names of values, such as "0", "1", "x"; ``expressions``: for each ``text``, ``height``, ``class`` (a
        place in classes) and ``place`` [x, y] in the picture; ``purity``, ``silhouette``, and the same of a model with
        ``fresh`` weights; ``chance``: the purity of places drawn at random; ``neighbours``, ``perplexity``.
        ``replaced``: ``equations``, ``agreement``, ``accuracy_before``, ``accuracy_after``, the same ``by_depth``.
        """
        test = sample_each_depth(Dataset.read(corpus, "test"), self.equations, 0)  # the same for every model
        equals = EqualRewrites.of(test.prefix)
        model = load_trained(folder)
        return self._picture(run, model, equals) | {"replaced": self._replaced(model, test, equals)}

    def _picture(self, run: PlannedRun, model: Any, equals: EqualRewrites) -> dict[str, Any]:
        from treesmu.training.fresh_model import fresh_model

        found = ValueClasses.of(equals, self.classes, self.per_class)
        own, untrained = (states(m, found.texts) for m in (model, fresh_model(run.settings)))
        places = tsne_layout(own, self.perplexity)
        numbers = [
            {"purity": purity(s, found.number, self.neighbours), "silhouette": silhouette(s, found.number)}
            for s in (own, untrained)
        ]
        return {
            "classes": found.names,
            "expressions": [e | {"place": place} for e, place in zip(found.rows(), places, strict=True)],
            **numbers[0],
            "fresh": numbers[1],
            "chance": found.chance(),
            "neighbours": self.neighbours,
            "perplexity": self.perplexity,
        }

    def _replaced(self, model: Any, test: Dataset, equals: EqualRewrites) -> dict[str, Any]:
        rows, texts = equals.replace_one(seed=0)
        asked = test.take(rows)
        return agreement(predictions(model, asked.prefix), predictions(model, texts), asked.label, asked.depth)
