"""What ``treesmu reproduce`` left in a folder: its plan, the runs that are finished, the analyses of their models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from treesmu.errors import DataError

from .numbers import Counts, Spread, counts, pooled, spread

NEEDED = {  # of the files of a run
    "settings.json": ("settings", "corpus", "cell", "parameters", "rows"),
    "test.json": ("overall", "by_depth", "train", "validation"),
}
METRICS = "metrics.jsonl"
RUN_FILES = (*NEEDED, METRICS)


@dataclass(frozen=True)
class FinishedRun:
    """A finished training run. name: where it is below runs/; settings, test: its files; epochs: the lines of metrics.jsonl."""

    name: str
    settings: dict[str, Any]
    test: dict[str, Any]
    epochs: tuple[dict[str, Any], ...]

    @property
    def own(self) -> dict[str, Any]:
        """What it was trained with."""
        return dict(self.settings["settings"])

    @property
    def cell(self) -> dict[str, Any]:
        """The model's own settings, those that were left at their default too."""
        return dict(self.settings["cell"])

    def pooled(self, low: int, high: int) -> Counts:
        return pooled(self.test["by_depth"], low, high)

    @property
    def seconds_an_epoch(self) -> float:
        """The median: a machine that was asleep or busy for a while does not count."""
        return float(median(epoch["seconds"] for epoch in self.epochs))

    def validation(self, epochs: int) -> float:
        """The best accuracy on validation within the first so many epochs."""
        return float(max(epoch["validation_accuracy"] for epoch in self.epochs[:epochs]))

    @property
    def is_still_rising(self) -> bool:
        """Is the last epoch better on validation than all before?"""
        return len(self.epochs) > 1 and self.epochs[-1]["validation_accuracy"] > self.validation(len(self.epochs) - 1)


@dataclass(frozen=True)
class SeedGroup:
    """A line of a table: runs that differ in nothing but the seed. variant: what their study calls them among its own."""

    corpus: str
    model: str
    recipe: str
    variant: str
    runs: tuple[FinishedRun, ...]

    @property
    def seeds(self) -> int:
        return len(self.runs)

    def over_seeds(self, measure: Callable[[FinishedRun], float | None]) -> Spread | None:
        return spread(measure(run) for run in self.runs)

    def accuracy(self, low: int, high: int) -> Spread | None:
        """Of the test equations of these depths."""
        return self.over_seeds(lambda run: run.pooled(low, high).accuracy)

    def chance(self, low: int, high: int) -> float | None:
        """Of the same equations: what who always says the same has right."""
        return self.runs[0].pooled(low, high).chance

    def accuracy_on(self, split: str) -> Spread | None:
        """Of the equations that it was trained or chosen on."""
        return self.over_seeds(lambda run: run.test[split]["accuracy"])


def groups(runs: Iterable[FinishedRun], variants: dict[str, str]) -> list[SeedGroup]:
    """Runs put together by seeds, in the order of the first of each. variants: by the name of the run."""
    found: dict[str, list[FinishedRun]] = {}
    for run in runs:
        found.setdefault(run.name.rpartition("/")[0], []).append(run)
    return [_entry(tuple(some), variants[some[0].name]) for some in found.values()]


def _entry(runs: tuple[FinishedRun, ...], variant: str) -> SeedGroup:
    own, corpus = runs[0].own, runs[0].name.partition("/")[0]
    return SeedGroup(corpus.partition("+")[0], own["model"], own["recipe"], variant, runs)  # + what was put into it


@dataclass(frozen=True)
class StudyResults:
    """A study of the plan, as far as it is done.

    planned: the name of each run, and the variant that it is; analyses: by the name of the run.
    """

    name: str
    title: str
    asks: str
    planned: dict[str, str]
    runs: tuple[FinishedRun, ...]
    analyses: dict[str, Any]
    missing_runs: tuple[str, ...]
    missing_analyses: tuple[str, ...]

    @cached_property
    def groups(self) -> list[SeedGroup]:
        return groups(self.runs, self.planned)

    def asked(self, group: SeedGroup, measure: Callable[[Any], float | None]) -> Spread | None:
        """A measure of the analyses of an group, over the seeds that have been analysed."""
        found = [self.analyses[run.name] for run in group.runs if run.name in self.analyses]
        return spread(measure(analysis) for analysis in found)

    def counted(self, group: SeedGroup, measure: Callable[[Any], int]) -> Spread | int | None:
        """A number of equations, which seeds mostly have in common."""
        found = self.asked(group, measure)
        return found if found is None or len(set(found.values)) > 1 else int(found.mean)


class Folder:
    """DIR of ``treesmu reproduce``. Bad files are a DataError; what is not there yet is missing, and the report says so."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not (path / "plan.json").is_file():
            raise DataError(f"{path}: no plan.json; give the folder of: treesmu reproduce --out {path}")
        self.plan = _read(path / "plan.json")
        studies = self.plan.get("studies") if isinstance(self.plan, dict) else None
        if not isinstance(studies, dict):
            raise DataError(f"{path / 'plan.json'}: does not say what its studies ask; go on with: treesmu reproduce --resume")
        self._runs: dict[str, FinishedRun | None] = {}
        try:
            self.studies = [self._study(name, plan) for name, plan in studies.items()]
            self.corpora: dict[str, dict[str, Any]] = self.plan["preset"]["corpora"]
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path / 'plan.json'}: not a plan of treesmu reproduce ({error!r})") from error

    def study(self, name: str) -> StudyResults | None:
        return next((study for study in self.studies if study.name == name), None)

    @property
    def runs(self) -> list[FinishedRun]:
        """All that are finished, each once."""
        return [run for run in self._runs.values() if run is not None]

    def is_paper_like(self, corpus: str) -> bool:
        """Is a corpus made in the paper's way, so that the paper's figures may stand beside ours?"""
        return bool(self.corpora.get(corpus, {}).get("preset") == "paper")

    def _study(self, name: str, plan: dict[str, Any]) -> StudyResults:
        runs = {run: self._run(run) for run in plan["runs"]}
        analyses = {run: self._analysis(name, run) for run in plan["analyses"]}
        return StudyResults(
            name=name,
            title=plan["title"],
            asks=plan["asks"],
            planned=plan["runs"],
            runs=tuple(run for run in runs.values() if run is not None),
            analyses={run: found for run, found in analyses.items() if found is not None},
            missing_runs=tuple(name for name, run in runs.items() if run is None),
            missing_analyses=tuple(name for name, found in analyses.items() if found is None),
        )

    def _run(self, name: str) -> FinishedRun | None:
        """None unless it is finished: test.json comes last."""
        if name not in self._runs:
            folder = self.path / "runs" / name
            self._runs[name] = _read_run(name, folder) if (folder / "test.json").is_file() else None
        return self._runs[name]

    def analysis(self, study: str, run: str) -> Path:
        """The file of an analysis."""
        return self.path / "analyses" / study / f"{run}.json"

    def _analysis(self, study: str, run: str) -> Any:
        file = self.analysis(study, run)
        return _read(file) if file.is_file() else None


def _read_run(name: str, folder: Path) -> FinishedRun:
    found = {file: _read(folder / file) for file in NEEDED}
    for file, keys in NEEDED.items():
        if missing := [key for key in keys if not isinstance(found[file], dict) or key not in found[file]]:
            raise DataError(f"{folder / file}: {missing[0]!r} is missing; remove the run and train it again: --resume")
    epochs = tuple(_read_lines(folder / METRICS))
    if not epochs:
        raise DataError(f"{folder / METRICS}: no epochs; remove the run and train it again: --resume")
    run = FinishedRun(name, found["settings.json"], found["test.json"], epochs)
    _try_out(run, folder)
    return run


def _try_out(run: FinishedRun, folder: Path) -> None:
    """All that a report asks of a run, so that a fault is found here, where its file is known."""
    with _naming(folder / "settings.json"):
        _ = [run.own[name] for name in ("model", "recipe", "seed", "epochs")], int(run.settings["rows"]), run.cell
    with _naming(folder / "test.json"):
        _ = run.pooled(0, 0), [counts(measures) for measures in run.test["by_depth"].values()]
        _ = [run.test[split]["accuracy"] for split in ("train", "validation")]
    with _naming(folder / METRICS):
        _ = run.seconds_an_epoch, run.is_still_rising


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        remedy = "remove the run and train it again: --resume"
        raise DataError(f"{file}: not what this version writes ({error!r}); {remedy}") from error


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error


def _read_lines(path: Path) -> list[Any]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
