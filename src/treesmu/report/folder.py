"""The folder of ``treesmu reproduce``: its plan, the finished runs, and the analyses of their models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from reprlib import repr as short
from typing import Any

from treesmu.errors import DataError
from treesmu.files import is_inside
from treesmu.json_files import read_json, read_json_lines
from treesmu.task_names import measure_of

from . import content
from .content import Plan, RunSettings, check_content
from .figures.palette import INK, assign_colours
from .numbers import Spread, spread_by_seed
from .runs import RECIPE_NAMES, Condition, FinishedRun, Measure, Pairs, SeedGroup, by_condition, find

SETTINGS, TEST, METRICS = RUN_FILES = ("settings.json", "test.json", "metrics.jsonl")
RETRAIN = "remove the run and train it again with: treesmu reproduce --resume"
ANALYSE_AGAIN = "make it again with: treesmu reproduce --resume"
REPLAN = "write it again with: treesmu reproduce --resume"
Variant = tuple[str, str | None]  # model, variant


@dataclass(frozen=True)
class StudyResults:
    """The finished part of a study.

    asks: its question; planned: the variant of each run, by name; groups: ordered by corpus, recipe and model; analyses: by the
    name of the run; settings: of the study; corpora: the settings of all corpora; missing_corpora: why there is no such corpus;
    left_out: which runs are not possible, and why.
    """

    name: str
    title: str
    asks: str
    planned: dict[str, str]
    groups: tuple[SeedGroup, ...]
    analyses: dict[str, Any]
    missing_runs: tuple[str, ...]
    missing_analyses: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    corpora: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing_corpora: dict[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def runs(self) -> list[FinishedRun]:
        """The runs of all groups."""
        return [run for group in self.groups for run in group.runs]

    @property
    def models(self) -> list[str]:
        """The names of the models, each once."""
        return list(dict.fromkeys(group.model for group in self.groups))

    @cached_property
    def conditions(self) -> dict[Condition, list[SeedGroup]]:
        """The groups of each condition."""
        return by_condition(self.groups)

    def over_analyses(self, group: SeedGroup, measure: Callable[[Any], float | None]) -> Spread | None:
        """Return a measure of the analyses of a group, over the seeds that have been analysed."""
        analysed = [run for run in group.runs if run.name in self.analyses]
        return spread_by_seed((run.seed, measure(self.analyses[run.name])) for run in analysed)

    def count(self, group: SeedGroup, measure: Callable[[Any], int]) -> Spread | int | None:
        """Return a number of equations: an integer if it is the same for all seeds."""
        found = self.over_analyses(group, measure)
        return found if found is None or len(set(found.values)) > 1 else int(found.mean)

    def analysed_depths(self, part: str | None = None) -> list[str]:
        """Return all depths of the analyses, or of one part of them."""
        parts = [analysis if part is None else analysis[part] for analysis in self.analyses.values()]
        return sorted({depth for found in parts for depth in found["by_depth"]}, key=int)

    def under_conditions(self, model: str, measure: Measure) -> list[tuple[Condition, Spread]]:
        """Return a measure of a model under every condition that has it."""
        groups = [(condition, find(some, model)) for condition, some in self.conditions.items()]
        return [(condition, value) for condition, group in groups if group and (value := measure(group))]

    def pairs(self, old: Variant, new: Variant, measure: Measure) -> Pairs:
        """Return a measure of two groups under every condition that has both."""
        found: Pairs = []
        for condition, groups in self.conditions.items():
            a, b = (measure(group) if (group := find(groups, *which)) else None for which in (old, new))
            if a and b:
                found.append((condition, a, b))
        return found


class Folder:
    """The folder of ``treesmu reproduce``. Damaged files raise a DataError; unfinished runs and analyses are listed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / "plan.json").is_file():
            raise DataError(f"{path}: no plan.json; give the folder of: treesmu reproduce --out {path}")
        self.plan = read_json(path / "plan.json", "copy the folder again")
        studies = self.plan.get("studies")
        if not isinstance(studies, dict):
            raise DataError(f"{path / 'plan.json'}: the questions of the studies are missing; run: treesmu reproduce --resume")
        check_content(self.plan, Plan, path / "plan.json", REPLAN)
        self._runs: dict[str, FinishedRun | None] = {}
        try:
            self.corpora: dict[str, dict[str, Any]] = self.plan["preset"]["corpora"]
            names = [name for plan in studies.values() for name in plan["runs"]]
            analysed = [name for plan in studies.values() for name in plan["analyses"]]
            if outside := [name for name in (*studies, *names, *analysed) if not is_inside(name)]:
                raise DataError(f"{path / 'plan.json'}: {short(outside[0])} leads out of the folder; copy the folder again")
            if strange := [name for name in studies if not re.fullmatch(r"\w[\w -]{0,63}", name)]:  # they name files
                raise DataError(f"{path / 'plan.json'}: {short(strange[0])} is not the name of a study; copy the folder again")
            self._colours = assign_colours(model for name in names for model in name.split("/")[2:3])
            self.studies = [self._study(name, plan) for name, plan in studies.items()]
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path / 'plan.json'}: not a plan of treesmu reproduce ({error!r})") from error

    def study(self, name: str) -> StudyResults | None:
        """Return the results of a study, or None if the plan does not contain it."""
        return next((study for study in self.studies if study.name == name), None)

    @property
    def runs(self) -> list[FinishedRun]:
        """All finished runs, each once."""
        return [run for run in self._runs.values() if run is not None]

    def _study(self, name: str, plan: dict[str, Any]) -> StudyResults:
        runs = {run: self._run(run) for run in plan["runs"]}
        analyses = {run: self._analysis(name, run) for run in plan["analyses"]}
        return StudyResults(
            name=name,
            title=plan["title"],
            asks=plan["asks"],
            planned=plan["runs"],
            groups=self._groups([run for run in runs.values() if run is not None], plan["runs"]),
            analyses={run: analysis for run, analysis in analyses.items() if analysis is not None},
            missing_runs=tuple(run for run, found in runs.items() if found is None),
            missing_analyses=tuple(run for run, analysis in analyses.items() if analysis is None),
            settings=plan.get("settings", {}),
            corpora=self.corpora,
            missing_corpora=self.plan.get("missing", {}),
            left_out=tuple(plan.get("left_out", ())),
        )

    def _groups(self, runs: list[FinishedRun], variants: dict[str, str]) -> tuple[SeedGroup, ...]:
        """Group runs by all but the seed; order them by corpus as in the preset, recipe, and first occurrence of the model."""
        found: dict[str, list[FinishedRun]] = {}
        for run in runs:
            found.setdefault(run.name.rpartition("/")[0], []).append(run)
        groups = [self._group(tuple(some), variants[some[0].name]) for some in found.values()]
        orders = list(self.corpora), list(RECIPE_NAMES), [group.model for group in groups]
        return tuple(sorted(groups, key=lambda group: [*map(_index, orders, (*group.condition, group.model))]))

    def _group(self, runs: tuple[FinishedRun, ...], variant: str) -> SeedGroup:
        corpus = runs[0].name.partition("/")[0].partition("+")[0]  # + labels flipped in it
        model, recipe = runs[0].training["model"], runs[0].training["recipe"]
        is_paper_like = recipe == "paper" and _is_like_the_papers(self.corpora.get(corpus, {}))
        return SeedGroup(Condition(corpus, recipe), model, self._colours.get(model, INK), variant, is_paper_like, runs)

    def _run(self, name: str) -> FinishedRun | None:
        """Return a run, or None if it is not finished: test.json is written last."""
        if name not in self._runs:
            folder = self.path / "runs" / name
            self._runs[name] = _read_run(name, folder) if (folder / TEST).is_file() else None
        return self._runs[name]

    def analysis_file(self, study: str, run: str) -> Path:
        """Return the file of the analysis of a run."""
        return self.path / "analyses" / study / f"{run}.json"

    def _analysis(self, study: str, run: str) -> Any:
        file = self.analysis_file(study, run)
        return read_json(file, ANALYSE_AGAIN) if file.is_file() else None


def _is_like_the_papers(corpus: dict[str, Any]) -> bool:
    """Return whether a corpus is made as the paper's: by rules like its, by the original generator, or in its way."""
    is_changed = "closed" in corpus or "labels" in corpus
    return corpus.get("preset") in ("paper", "files") or (corpus.get("preset") == "published" and not is_changed)


def _index(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _read_run(name: str, folder: Path) -> FinishedRun:
    settings, test = read_json(folder / SETTINGS, RETRAIN), read_json(folder / TEST, RETRAIN)
    check_content(settings, RunSettings, folder / SETTINGS, RETRAIN)
    measure = measure_of(settings["settings"].get("task", "verify"))
    check_content(test, content.TEST[measure], folder / TEST, RETRAIN)
    epochs = tuple(read_json_lines(folder / METRICS, RETRAIN))
    if not epochs:
        raise DataError(f"{folder / METRICS}: no epochs; {RETRAIN}")
    check_content({"epochs": list(epochs)}, content.METRICS[measure], folder / METRICS, RETRAIN)
    run = FinishedRun(name, settings, test, epochs)
    _check(run, folder)
    return run


def _check(run: FinishedRun, folder: Path) -> None:
    """Compute everything that a report uses of a run, so that an error names the file that causes it."""
    with _naming(folder / SETTINGS):
        _ = [run.training[name] for name in ("model", "recipe", "seed", "epochs")], int(run.settings["rows"]), run.cell
    with _naming(folder / TEST):
        _ = run.score(0, 1000), [run.test[split][run.measure.key] for split in ("train", "validation")]
    with _naming(folder / METRICS):
        _ = run.seconds_per_epoch, run.is_still_rising


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Turn the errors of damaged content into a DataError that names the file."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{file}: not what this version writes ({error!r}); {RETRAIN}") from error
