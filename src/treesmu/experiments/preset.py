"""Preset: the corpora, training settings and studies of ``treesmu reproduce``, read from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from treesmu.data import DataError
from treesmu.text_files import read_text
from treesmu.training.settings import TrainSettings, first_error

from .file_corpus import FileCorpus, MissingFileError
from .own_corpus import OwnCorpus
from .preset_corpora import make_corpus
from .studies.ablation import Ablation
from .studies.completion import Completion
from .studies.data_size import DataSize
from .studies.elsewhere import Elsewhere
from .studies.localism import Localism
from .studies.model_size import ModelSize
from .studies.overgeneralisation import Overgeneralisation
from .studies.productivity import Productivity
from .studies.published import Published
from .studies.sample_efficiency import SampleEfficiency
from .studies.stack_operations import StackOperations
from .studies.stack_size import StackSize
from .studies.step_by_step import StepByStep
from .studies.substitutivity import Substitutivity
from .studies.variants import Variants
from .study import PlannedRun, PresetCorpus, Setup, Study
from .tree_files import TreeFiles

_IN_ORDER_OF_REPORT: tuple[type[Study], ...] = (
    Published,
    Productivity,  # and systematicity
    Localism,
    Substitutivity,
    StepByStep,
    Overgeneralisation,
    Completion,
    SampleEfficiency,
    StackSize,
    StackOperations,
    ModelSize,
    Ablation,
    Variants,
    DataSize,
    Elsewhere,
)
STUDIES: dict[str, type[Study]] = {study.name: study for study in _IN_ORDER_OF_REPORT}
SET_BY_STUDIES = ("model", "recipe", "depths", "rows", "seed")  # settings that [training.RECIPE] cannot contain


class _Content(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpora: dict[str, dict[str, Any]]  # name: a preset of treesmu generate, and changes to it
    training: dict[str, dict[str, Any]] = {}  # recipe: settings of all its runs, such as epochs
    defaults: dict[str, Any] = {}  # settings of all studies that do not set them themselves, such as recipes
    studies: dict[str, dict[str, Any]]  # name: settings


class Preset:
    """What to reproduce. ``corpora``: settings by name; ``studies``: by name, in the order of STUDIES.

    own: a corpus that all studies use instead of those of the preset. folders: where to find the files of which some corpora
    are made. ``missing``: why some corpora cannot be made; ``left_out``: why some studies are not possible with what there is.
    """

    def __init__(
        self, name: str, text: str, source: str, own: OwnCorpus | TreeFiles | None = None, folders: Sequence[Path] = ()
    ) -> None:
        self.name, self.left_out, self.missing = name, dict[str, str](), dict[str, str]()
        self.corpora: dict[str, PresetCorpus]
        try:
            content = _Content(**tomllib.loads(text))
            if own is None:
                self.corpora = self._find_corpora(content.corpora, folders)
            else:
                self.corpora, content = {own.name: own}, _use_own(content, own)
            self.setup = Setup(_training(content.training), self.corpora)
            if not content.studies:
                raise ValueError(f"no study; known: {', '.join(STUDIES)}")
            if unknown := [key for key in content.studies if key not in STUDIES]:
                raise ValueError(f"unknown study {unknown[0]!r}; known: {', '.join(STUDIES)}")
            if unknown := [key for key in content.defaults if key not in Study.model_fields]:
                raise ValueError(f"defaults: unknown setting {unknown[0]!r}; known: {', '.join(Study.model_fields)}")
            given = {key: content.defaults | settings for key, settings in content.studies.items()}
            self.studies = {key: _study(key, given[key]) for key in STUDIES if key in given}
            if own is not None:
                self._leave_out_impossible(own)
            if self.missing:
                self._leave_out_missing()
            self._check_runs()
        except ValidationError as error:
            raise DataError(f"{source}: {first_error(error)}") from error
        except (ValueError, RecursionError) as error:  # also DataError, TOMLDecodeError; lists nested too deep
            raise DataError(f"{source}: {error}") from error
        self.content = content.model_dump(mode="json")
        made_of_files = {
            key: corpus.content() for key, corpus in self.corpora.items() if isinstance(corpus, FileCorpus | TreeFiles)
        }
        self.content["corpora"] = {
            key: made_of_files.get(key, given) for key, given in self.content["corpora"].items() if key not in self.missing
        }

    def _find_corpora(self, given: dict[str, dict[str, Any]], folders: Sequence[Path]) -> dict[str, PresetCorpus]:
        found: dict[str, PresetCorpus] = {}
        for key, settings in given.items():
            try:
                found[key] = make_corpus(key, settings, folders)
            except MissingFileError as error:
                self.missing[key] = str(error)
        return found

    def _leave_out_missing(self) -> None:
        """Leave out the corpora whose files are not at hand, and the studies of which nothing remains."""
        for key, study in list(self.studies.items()):
            kept = study.without_corpora(self.missing)
            if kept.corpora:
                self.studies[key] = kept
            else:
                name = next(name for name in study.corpora if name in self.missing)
                self.left_out[key] = f"corpus {name}: {self.missing[name]}"
                del self.studies[key]
        if not self.studies:
            raise ValueError(next(iter(self.left_out.values())))

    def _leave_out_impossible(self, own: OwnCorpus | TreeFiles) -> None:
        """Leave out the studies that are not possible with a user's own corpus."""
        for key, study in list(self.studies.items()):
            try:
                if isinstance(own, TreeFiles):
                    study.require_trees()
                else:
                    study.require(own, self.setup)
            except ValueError as error:
                self.left_out[key] = str(error).removeprefix(f"study {key}: ")
                del self.studies[key]
        if not self.studies:
            key, reason = next(iter(self.left_out.items()))
            raise ValueError(f"{own.path}: no study is possible with this corpus; {key}: {reason}")

    def _check_runs(self) -> None:
        """Check that a model can be built for every run, and that different runs have different names."""
        from treesmu.training.fresh_model import check_model

        known: dict[str, PlannedRun] = {}
        for study in self.studies.values():
            if missing := [corpus for corpus in study.named_corpora() if corpus not in self.corpora]:
                raise ValueError(f"study {study.name}: no corpus {missing[0]!r}; there are: {', '.join(self.corpora)}")
            planned = list(study.runs(self.setup))
            _check_analysis(study, self.setup)
            if not planned:
                raise ValueError(f"study {study.name}: nothing to train; none of its lists may be empty")
            variants: dict[str, str] = {}
            for run in planned:
                if run.name not in known:
                    check_model(run.settings)
                    if isinstance(source := self.corpora[run.source_corpus], TreeFiles):
                        source.check(run.settings)
                if known.setdefault(run.name, run).settings != run.settings:
                    raise ValueError(f"study {study.name}: two different runs would be named {run.name}")
                if (other := variants.setdefault(run.name, run.variant)) != run.variant:
                    raise ValueError(f"study {study.name}: {other!r} and {run.variant!r} are the same run; leave one out")

    @classmethod
    def read(cls, name: str, own: OwnCorpus | TreeFiles | None = None, folders: Sequence[Path] = ()) -> Preset:
        """Read a built-in preset by name, or a TOML file. own, folders: see the class."""
        if name.endswith(".toml"):
            return cls(Path(name).stem, read_text(Path(name)), name, own, folders)
        built_in = {
            file.name.removesuffix(".toml"): file for file in resources.files(__package__).joinpath("presets").iterdir()
        }
        if name not in built_in:
            raise DataError(
                f"unknown preset {name!r}; known: {', '.join(sorted(built_in))}, or a file of your own that ends in .toml"
            )
        return cls(name, built_in[name].read_text(encoding="utf-8"), f"preset {name}", own, folders)

    def runs(self, studies: list[str]) -> list[PlannedRun]:
        """Return the distinct runs of these studies, in their order."""
        found = [run for name in studies for run in self.studies[name].runs(self.setup)]
        return list({run.name: run for run in found}.values())

    def impossible_runs(self) -> list[str]:
        """Return a line for each model that cannot do what a study asks of it."""
        return [line for study in self.studies.values() for line in study.left_out(self.setup)]


def _use_own(content: _Content, own: OwnCorpus | TreeFiles) -> _Content:
    """Return the content of a preset with one corpus, which all studies use."""
    studies = {key: given | {"corpora": [own.name]} for key, given in content.studies.items()}
    return content.model_copy(update={"corpora": {own.name: own.content()}, "studies": studies})


def _study(name: str, given: dict[str, Any]) -> Study:
    try:
        return STUDIES[name](**given)
    except ValidationError as error:
        raise ValueError(f"study {name}: {first_error(error)}") from error


def _check_analysis(study: Study, setup: Setup) -> None:
    try:
        study.check_analysis(setup)
    except ValueError as error:
        raise ValueError(f"study {study.name}: {error}") from error


def _training(given: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Check the settings of each recipe, and return them."""
    for recipe, settings in given.items():
        if misplaced := [name for name in settings if name in SET_BY_STUDIES]:
            raise ValueError(f"training.{recipe}: {misplaced[0]} is set by the studies, not for all runs of a recipe")
        TrainSettings.of(recipe, **settings)
    return given
