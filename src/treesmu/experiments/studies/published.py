"""As published: the paper's table on the paper's kind of data, and what is left of it on fair data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, field_validator

from treesmu import registry
from treesmu.data import Dataset

from ..own_corpus import OwnCorpus
from ..probes.trained_model import load_trained, sample_each_depth
from ..probes.transfer import SeenText, count_right
from ..study import SEQUENCE_MODELS, Count, PlannedRun, Setup, Study


class Published(Study):
    """As published: do the models reach the paper's numbers on data like the paper's, and what do they reach on other data?

    Trained on equations of depth 1-7 of several corpora: of the original generator, where its files are at hand; of the preset
    *published*, which works in the same way; and of the fair presets *paper* and *hard*. Every model is tested on all of them,
    without the equations of its training set. *The same way* tests on equations made as those of the training set; *the paper's
    protocol* on equations from other settings of the generator, with the mean over depths. Along a chain of corpora, each
    without one more leak of the original generator, the two best models show what the paper's accuracy consists of.
    """

    name = "published"
    title = "As published"
    names_corpora = ("corpora", "more_corpora", "whole", "chain", "tests", "same_way", "protocol")

    corpora: tuple[str, ...] = ("original", "published", "published-checked", "paper", "hard")
    recipes: tuple[str, ...] = ("paper",)
    models: tuple[str, ...] = ("majority", *SEQUENCE_MODELS, "tree-rnn", "stack-tree-rnn", "tree-lstm", "tree-smu")
    epochs_of: dict[str, int] = Field(default_factory=dict)  # by model, where not the recipe's
    pair: tuple[str, str] = ("tree-lstm", "tree-smu")  # which are compared with each other
    more_seeds: tuple[int, ...] = ()  # of the pair
    more_corpora: tuple[str, ...] = ()  # on which the pair has these seeds
    whole: tuple[str, ...] = ()  # corpora of which the pair is trained on all depths too, as the authors' weights were
    chain: tuple[str, ...] = ()  # corpora with ever fewer leaks, on which the pair is trained
    tests: tuple[str, ...] = ()  # the corpora on whose test equations every model is tested
    same_way: dict[str, str] = Field(default_factory=dict)  # by training corpus: the test set that is made in the same way
    protocol: dict[str, str] = Field(default_factory=dict)  # by training corpus: the test set of the paper's protocol
    per_depth: Count = 1000  # test equations at most, of each test set and depth
    per_depth_of: dict[str, Count] = Field(default_factory=dict)  # by model, where not per_depth

    @field_validator("models", "epochs_of", "per_depth_of", "pair")
    @classmethod
    def _models_are_known(cls, given: Any) -> Any:
        for model in given:
            registry.check_name(model)
        return given

    def analysis_settings(self) -> dict[str, Any]:
        return {"tests": list(self.tests), "per_depth": self.per_depth, "per_depth_of": dict(self.per_depth_of)}

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs on all corpora, those of further seeds, of all depths, and along the chain; each once."""
        more = self._changed(corpora=self.more_corpora, seeds=self.more_seeds, seeds_of={})
        planned = (
            *self.plan_runs(setup, self.models),
            *more.plan_runs(setup, self.pair),
            *self._changed(corpora=self.whole).plan_runs(setup, self.pair, depths=None),
            *self._changed(corpora=self.chain).plan_runs(setup, self.pair),
        )
        found = {run.name: run for run in map(self._with_epochs, planned)}
        yield from found.values()

    def _changed(self, **changes: Any) -> Self:
        return self.model_copy(update=changes)

    def _with_epochs(self, run: PlannedRun) -> PlannedRun:
        epochs = self.epochs_of.get(run.settings.model)
        return run if epochs is None else run.changed(epochs=epochs)

    def require(self, corpus: OwnCorpus, setup: Setup) -> None:
        del corpus, setup
        raise ValueError("it compares corpora with each other, and there is only one")

    def read_corpora(self) -> tuple[str, ...]:
        return self.tests

    def without_corpora(self, names: Collection[str]) -> Self:
        """Return the study without these corpora, also as test sets."""
        kept = super().without_corpora(names)
        pairs = {name: {k: v for k, v in getattr(kept, name).items() if v not in names} for name in ("same_way", "protocol")}
        return kept.model_copy(update=pairs)

    def named_corpora(self) -> list[str]:
        return list(dict.fromkeys([*super().named_corpora(), *self.same_way.values(), *self.protocol.values()]))

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return ``tests``: counts of right predictions on each test set, and on the test equations of the model's own corpus.

        Each has columns of equal length, one entry for each depth, label and number of sides that are in the training set:
        ``depth``, ``label``, ``sides_seen`` (0 to 2), ``equations``, ``right``. At most ``per_depth`` equations of a depth are
        drawn, the same for every model; ``left_out``: how many of them are in the training set, or have a leaf that the model
        does not know; ``all``: how many equations of each depth there are in the test set.
        """
        training = Dataset.read(corpora[run.corpus], "train").select(run.settings.depths)
        model, seen = load_trained(folder), SeenText(training)
        per_depth = self.per_depth_of.get(run.settings.model, self.per_depth)
        found = {}
        for name in dict.fromkeys((run.corpus, *self.tests)):
            test = Dataset.read(corpora[name], "test")
            counts = {str(depth): count for depth, count in sorted(Counter(test.depth.tolist()).items())}
            found[name] = {**count_right(model, sample_each_depth(test, per_depth, 0), seen), "all": counts}
        return {"tests": found}
