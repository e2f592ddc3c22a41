"""Study and PlannedRun: a question, the training runs that answer it, and an analysis of each trained model.

A study is a class whose fields are its settings: a preset's TOML file fills them in, and an unknown field is an error. Its
docstring says what is asked, on which data, and with which measure; the report prints it. The docstring of ``analyse`` says
what the JSON file of an analysis contains.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from treesmu import registry
from treesmu.generate.settings import CorpusSettings, row_quotas
from treesmu.training.settings import RECIPES, TrainSettings

from .default_cell import default_cell_settings
from .file_corpus import FileCorpus
from .own_corpus import OwnCorpus
from .probes.flipped_labels import FlippedLabels
from .tree_corpus import TreeCorpus
from .tree_files import TreeFiles

MAIN_DEPTHS = (1, 7)  # of the training equations in nearly all studies; depth 8 and more is for the test
TREE_MODELS = ("tree-rnn", "tree-lstm", "tree-smu")
SEQUENCE_MODELS = ("lstm", "transformer", "tree-transformer")
Share = Annotated[float, Field(gt=0, le=1)]  # of the training equations
Count = Annotated[int, Field(ge=1)]


NAMED_BY_STUDIES = ("model", "recipe", "seed")  # settings of training that a study has fields of its own for


def _are_training_settings(changes: dict[str, Any]) -> dict[str, Any]:
    if wrong := [name for name in changes if name not in TrainSettings.model_fields or name in NAMED_BY_STUDIES]:
        known = (name for name in TrainSettings.model_fields if name not in NAMED_BY_STUDIES)
        raise ValueError(f"{wrong[0]!r} is no setting that can be changed here; known: {', '.join(known)}")
    return changes


TrainingChanges = Annotated[dict[str, Any], AfterValidator(_are_training_settings)]
PresetCorpus = CorpusSettings | OwnCorpus | FileCorpus | TreeCorpus | TreeFiles  # the last two: of other trees than equations


@dataclass(frozen=True)
class Setup:
    """What a preset says for all studies."""

    training: dict[str, dict[str, Any]] = field(default_factory=dict)  # by recipe: settings of all its runs, such as epochs
    corpora: Mapping[str, PresetCorpus] = field(default_factory=dict)

    def rows(self, corpus: str, depths: tuple[int, int] = MAIN_DEPTHS) -> int:
        """Return how many training equations of these depths a corpus has."""
        settings = self.corpora[corpus]
        if not isinstance(settings, CorpusSettings):
            return settings.rows(depths)
        slots = row_quotas(settings, "train", settings.negatives)
        return sum(count for (depth, _), count in slots.items() if depths[0] <= depth <= depths[1])

    def require_test_depths(self, corpus: str, depths: tuple[int, int]) -> None:
        """Raise a ValueError if a generated corpus has no test equations of these depths."""
        settings = self.corpora[corpus]
        if isinstance(settings, CorpusSettings):
            low, high = settings.test_depths
            if depths[1] < low or depths[0] > high:
                there_are = f"corpus {corpus!r} has test equations of depth {low}-{high}"
                raise ValueError(f"depths {list(depths)}, but {there_are}; change depths, or test_depths of the corpus")

    def default_settings(self, recipe: str, model: str) -> TrainSettings:
        """Return the settings of a recipe in this preset, which the names of runs need not mention."""
        given = self.training.get(recipe, {}) | {"model": registry.check_name(model)}
        return TrainSettings.of(recipe, **(given if default_cell_settings(model) else given | {"cell": {}}))


@dataclass(frozen=True)
class PlannedRun:
    """A training run that studies need; the same settings on the same corpus are one run, whichever study asks for it."""

    source_corpus: str  # its name in the preset
    settings: TrainSettings
    defaults: TrainSettings  # what the run's name need not mention
    exceptions: FlippedLabels | None = None  # put into the training set
    variant: str = ""  # the study's name for it, where model, recipe and corpus do not identify it

    @property
    def corpus(self) -> str:
        """The name of its corpus folder below corpora/."""
        return f"{self.source_corpus}+{self.exceptions.name}" if self.exceptions else self.source_corpus

    @property
    def name(self) -> str:
        """The path of its run folder below runs/: corpus, depths, model, recipe, changes to the recipe, seed."""
        settings = self.settings
        changes = "".join(f",{key}={value}" for key, value in sorted(self._changes().items()))
        depths = "-".join(map(str, settings.depths)) if settings.depths else "all"
        return f"{self.corpus}/depth-{depths}/{settings.model}/{settings.recipe}{changes}/seed-{settings.seed}"

    def changed(self, **changes: Any) -> PlannedRun:
        """Return the run with some settings of training changed."""
        return replace(self, settings=TrainSettings.of(**{**self.settings.model_dump(), **changes}))

    def _changes(self) -> dict[str, Any]:
        """Return the settings that differ from those of the recipe in this preset."""
        named = {"model", "recipe", "depths", "seed", "cell"}  # what the name mentions in any case, and the cell, see below
        found = {key: value for key, value in self.settings if key not in named and value != getattr(self.defaults, key)}
        return found | {key: value for key, value in self.settings.cell.items() if self.defaults.cell.get(key) != value}


class Study(BaseModel):
    """The settings that all studies have. ``epochs`` is by recipe and overrides the preset's.

    ``seeds_of`` is by model or recipe: a model is trained with a recipe with the seeds that both have.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ClassVar[str]
    title: ClassVar[str]
    names_corpora: ClassVar[tuple[str, ...]] = ("corpora",)  # the settings that name corpora of the preset

    seeds: tuple[int, ...] = (12093,)
    seeds_of: dict[str, tuple[int, ...]] = {}
    corpora: tuple[str, ...] = ("paper", "hard")
    recipes: tuple[str, ...] = ("paper", "treesmu")
    epochs: dict[str, int] = {}

    @field_validator("recipes", "epochs")
    @classmethod
    def _check_recipes(cls, given: Any) -> Any:
        if unknown := [recipe for recipe in given if recipe not in RECIPES]:
            raise ValueError(f"unknown recipe {unknown[0]!r}; known: {', '.join(RECIPES)}")
        return given

    @model_validator(mode="after")
    def _check_seeds(self) -> Study:
        """Check names and seeds: a misspelt one in ``seeds_of`` would silently train a model with all seeds, or with none."""
        for name, seeds in self.seeds_of.items():
            try:
                name in RECIPES or registry.check_name(name)
            except ValueError as error:
                raise ValueError(f"seeds_of: {error}; or a recipe: {', '.join(RECIPES)}") from error
            if unknown := [seed for seed in seeds if seed not in self.seeds]:
                raise ValueError(f"seeds_of: {name}: {unknown[0]} is not among the seeds {', '.join(map(str, self.seeds))}")
        return self

    def analysis_settings(self) -> dict[str, Any]:
        """Return the settings that change what an analysis contains, for JSON; the others say which models there are."""
        return self.model_dump(mode="json", exclude={*Study.model_fields, "models", "sizes", "shares"})

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the training runs."""
        raise NotImplementedError

    def analysed_runs(self, setup: Setup) -> Iterator[PlannedRun]:
        """Yield the runs whose models are analysed: all, if the study has an analysis."""
        if type(self).analyse is not Study.analyse:
            yield from self.runs(setup)

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return the analysis of a trained model, for JSON. folder: the run's.

        corpora: the folders of the corpus that it was trained on, ``corpora[run.corpus]``, and of those in ``read_corpora``.
        """
        raise NotImplementedError

    def check_analysis(self, setup: Setup) -> None:
        """Raise a ValueError if an analysis would find no equations: otherwise it would fail after all the training."""

    def read_corpora(self) -> tuple[str, ...]:
        """Return the corpora that an analysis reads besides the one that a model was trained on."""
        return ()

    def named_corpora(self) -> list[str]:
        """Return the corpora that the settings name, each once."""
        return list(dict.fromkeys(name for field in self.names_corpora for name in getattr(self, field)))

    def without_corpora(self, names: Collection[str]) -> Self:
        """Return the study without these corpora. A setting that names corpora is a tuple, or a dict whose keys they are."""
        changes: dict[str, Any] = {}
        for setting in self.names_corpora:
            value = getattr(self, setting)
            kept = [name for name in value if name not in names]
            changes[setting] = {name: value[name] for name in kept} if isinstance(value, dict) else tuple(kept)
        return self.model_copy(update=changes)

    def require(self, corpus: OwnCorpus, setup: Setup) -> None:
        """Raise a ValueError if a user's own corpus lacks equations that this study needs."""
        for run in self.runs(setup):
            corpus.require_training(run.settings.depths)

    def require_trees(self) -> None:
        """Raise a ValueError if this study cannot use a user's own trees that are no equations."""
        raise ValueError("it needs equations; models are compared on other trees by --preset elsewhere")

    def left_out(self, setup: Setup) -> list[str]:  # noqa: ARG002
        """Return which runs the settings name but are not possible, and why: a line for each."""
        return []

    def plan_runs(
        self,
        setup: Setup,
        models: tuple[str, ...],
        depths: tuple[int, int] | None = MAIN_DEPTHS,
        cell: dict[str, Any] | None = None,
        **changes: Any,
    ) -> Iterator[PlannedRun]:
        """Yield a run for each seed, corpus, recipe and model that the recipe is for; all runs of a seed before the next.

        cell: settings of the cell. changes: settings of training, or ``variant`` and ``exceptions`` of the run.
        """
        for seed in self.seeds:
            for corpus in self.corpora:
                for recipe in self.recipes:
                    for model in models:
                        if self._is_planned(recipe, model, seed):
                            settings = {"depths": depths, "seed": seed, "cell": cell or {}} | changes
                            yield self._plan_run(setup, corpus, recipe, model, **settings)

    def _is_planned(self, recipe: str, model: str, seed: int) -> bool:
        is_possible = recipe in ("paper", "trees") or registry.is_tree_model(model)
        return is_possible and all(seed in self.seeds_of.get(name, self.seeds) for name in (recipe, model))

    def _plan_run(self, setup: Setup, corpus: str, recipe: str, model: str, **changes: Any) -> PlannedRun:
        """Return one run: the preset's recipe, with this study's epochs and with some settings changed."""
        defaults = setup.default_settings(recipe, model)
        run_fields = {key: changes.pop(key) for key in ("exceptions", "variant") if key in changes}
        epochs = {"epochs": self.epochs[recipe]} if recipe in self.epochs else {}
        settings = dict(defaults) | {"depths": MAIN_DEPTHS} | epochs | changes
        cell = defaults.cell | changes.get("cell", {})
        built_in = default_cell_settings(model)  # so that the run with hidden=50 has the name of the run with defaults
        settings["cell"] = {key: value for key, value in cell.items() if key in defaults.cell or value != built_in.get(key)}
        return PlannedRun(corpus, TrainSettings.of(**settings), defaults, **run_fields)
