"""What a study is: the training runs that it rests on, and what is asked of each trained model beside its test.

A study is a class whose fields are its settings: a preset's TOML file fills them in, and an unknown one is an error. Its
docstring says what is asked, on which data, with which measure; the report prints it. The docstring of ``analyse`` says
what the JSON file of an analysis holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from treesmu import registry
from treesmu.generate.settings import CorpusSettings, row_quotas
from treesmu.training.settings import RECIPES, TrainSettings

from .probes.flipped_labels import FlippedLabels

MAIN_DEPTHS = (1, 7)  # of training in nearly all studies: depth 8 and more is for the test
TREES = ("tree-rnn", "tree-lstm", "tree-smu")
DEFAULT_CELL = {"hidden": 50, "stack": 2}  # what settings and the name of a run need not tell
Share = Annotated[float, Field(gt=0, le=1)]
SEQUENCES = ("lstm", "transformer", "tree-transformer")


@dataclass(frozen=True)
class Setup:
    """What a preset says for all studies."""

    training: dict[str, dict[str, Any]] = field(default_factory=dict)  # by recipe: settings of all its runs, such as epochs
    corpora: dict[str, CorpusSettings] = field(default_factory=dict)

    def rows(self, corpus: str, depths: tuple[int, int] = MAIN_DEPTHS) -> int:
        """How many training equations of these depths the corpus is to have."""
        settings = self.corpora[corpus]
        slots = row_quotas(settings, "train", settings.negatives)
        return sum(count for (depth, _), count in slots.items() if depths[0] <= depth <= depths[1])

    def usual(self, recipe: str, model: str) -> TrainSettings:
        """The settings of a recipe as the preset has them: what a run's name does not tell."""
        given = self.training.get(recipe, {}) | {"model": model}
        return TrainSettings.of(recipe, **(given | {"cell": {}} if model == "majority" else given))  # it has no cell


@dataclass(frozen=True)
class PlannedRun:
    """A training run that studies ask for; the same settings on the same corpus are one run, whoever asks."""

    grown: str  # the corpus's name in the preset
    settings: TrainSettings
    usual: TrainSettings  # what its name need not tell
    exceptions: FlippedLabels | None = None  # put into the training set
    variant: str = ""  # what a study calls it among its own, where model, recipe and corpus do not tell

    @property
    def corpus(self) -> str:
        """The name of its folder below corpora/."""
        return f"{self.grown}+{self.exceptions.name}" if self.exceptions else self.grown

    @property
    def name(self) -> str:
        """The place of its folder below runs/: corpus, depths, model, recipe, what is changed in the recipe, seed."""
        own = self.settings
        changed = "".join(f",{key}={value}" for key, value in sorted(self._changes().items()))
        depths = "-".join(map(str, own.depths)) if own.depths else "all"
        return f"{self.corpus}/depth-{depths}/{own.model}/{own.recipe}{changed}/seed-{own.seed}"

    def changed(self, **changes: Any) -> PlannedRun:
        """With some settings of training changed."""
        return replace(self, settings=TrainSettings.of(**{**self.settings.model_dump(), **changes}))

    def _changes(self) -> dict[str, Any]:
        """What this run sets otherwise than its recipe does in this preset."""
        elsewhere = {"model", "recipe", "depths", "seed", "cell"}
        own = {key: value for key, value in self.settings if key not in elsewhere and value != getattr(self.usual, key)}
        return own | {key: value for key, value in self.settings.cell.items() if self.usual.cell.get(key) != value}


class Study(BaseModel):
    """The settings that all studies have. ``epochs`` is by recipe, in place of the preset's; ``seeds_of`` by model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ClassVar[str]
    title: ClassVar[str]

    seeds: tuple[int, ...] = (12093,)
    seeds_of: dict[str, tuple[int, ...]] = {}
    corpora: tuple[str, ...] = ("paper", "hard")
    recipes: tuple[str, ...] = ("paper", "treesmu")
    epochs: dict[str, int] = {}

    @field_validator("recipes", "epochs")
    @classmethod
    def _recipes_are_known(cls, given: Any) -> Any:
        if unknown := [recipe for recipe in given if recipe not in RECIPES]:
            raise ValueError(f"unknown recipe {unknown[0]!r}; known: {', '.join(RECIPES)}")
        return given

    @model_validator(mode="after")
    def _seeds_are_known(self) -> Study:
        """A slip in ``seeds_of`` would train a model with all seeds, or with none, and nobody would see it."""
        for model, seeds in self.seeds_of.items():
            if model not in registry.names():
                raise ValueError(f"seeds_of: unknown model {model!r}; known: {', '.join(registry.names())}")
            if unknown := [seed for seed in seeds if seed not in self.seeds]:
                raise ValueError(f"seeds_of: {model}: {unknown[0]} is not among the seeds {', '.join(map(str, self.seeds))}")
        return self

    def question(self) -> dict[str, Any]:
        """The settings that change what is asked of a model, for JSON; the others say which models there are."""
        return self.model_dump(mode="json", exclude={*Study.model_fields, "models", "sizes", "shares"})

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """The training runs."""
        raise NotImplementedError

    def analysed(self, setup: Setup) -> Iterator[PlannedRun]:
        """The runs whose models are asked something beside their test: all, if the study asks anything."""
        if type(self).analyse is not Study.analyse:
            yield from self.runs(setup)

    def analyse(self, run: PlannedRun, folder: Path, corpus: Path) -> dict[str, Any]:
        """What a trained model answers, for JSON. folder: of the run; corpus: the one that it was trained on."""
        raise NotImplementedError

    def each(
        self,
        setup: Setup,
        models: tuple[str, ...],
        depths: tuple[int, int] = MAIN_DEPTHS,
        cell: dict[str, Any] | None = None,
        **changes: Any,
    ) -> Iterator[PlannedRun]:
        """A run for each seed, corpus, model and recipe that the model can be trained with: a seed whole before the next.

        cell: settings of the cell. changes: settings of training, or ``variant`` and ``exceptions`` of the run.
        """
        for seed in self.seeds:
            for corpus in self.corpora:
                for recipe in self.recipes:
                    for model in models:
                        is_possible = recipe == "paper" or registry.is_tree_model(model)
                        if is_possible and seed in self.seeds_of.get(model, self.seeds):
                            own = {"depths": depths, "seed": seed, "cell": cell or {}} | changes
                            yield self.run(setup, corpus, recipe, model, **own)

    def run(self, setup: Setup, corpus: str, recipe: str, model: str, **changes: Any) -> PlannedRun:
        """One run: the recipe as the preset has it, with this study's epochs and some settings changed."""
        usual = setup.usual(recipe, model)
        marks = {key: changes.pop(key) for key in ("exceptions", "variant") if key in changes}
        epochs = {"epochs": self.epochs[recipe]} if recipe in self.epochs else {}
        own = usual.model_dump() | {"depths": MAIN_DEPTHS} | epochs | changes
        cell = usual.cell | changes.get("cell", {})
        own["cell"] = {key: value for key, value in cell.items() if key in usual.cell or value != DEFAULT_CELL.get(key)}
        return PlannedRun(corpus, TrainSettings.of(**own), usual, **marks)
