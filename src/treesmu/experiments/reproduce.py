"""Carry out the studies of a preset: make the corpora, train, analyse. What is done already is never done again.

    OUT/plan.json        the preset as it was begun, what each study asks and rests on, the machines (plan.py)
    OUT/corpora/NAME     a corpus folder each
    OUT/runs/...         a run folder each (study.PlannedRun.name); failed.log in it, if it failed
    OUT/analyses/STUDY/... .json   what a study asked of a trained model beside its test; .log, if that failed

The report reads these, and no model.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treesmu import __version__
from treesmu.data import DataError
from treesmu.engine import Done, Executor
from treesmu.files import lock_folder, write_json
from treesmu.generate.corpus import generate_corpus
from treesmu.generate.write import fresh_folder, write_corpus
from treesmu.training.run_folder import RunFolder

from .jobs import Folder, analyse, files_of, train, write_files
from .plan import check_plan, write_plan
from .preset import Preset
from .probes.flipped_labels import ANSWERS
from .study import PlannedRun, Study

Listener = Callable[[str, dict[str, Any]], None]  # called with "corpus", "runs", "run", "analyses", "analysis"
Asked = tuple[Study, PlannedRun]  # what an analysis is about
ASKED_WITH = "asked_with"  # in the file of an analysis: the study's settings


class Reproduction:
    """A preset in a folder. Whatever is wrong with what is given is a DataError of the constructor, which writes nothing."""

    def __init__(self, preset: Preset, out: Path, *, only: list[str] | None = None, resume: bool = False) -> None:
        self.preset, self.out = preset, out
        if unknown := [name for name in only or [] if name not in preset.studies]:
            raise DataError(f"no study {unknown[0]!r} in preset {preset.name}; there are: {', '.join(preset.studies)}")
        self.studies = [name for name in preset.studies if not only or name in only]
        self.plan = out / "plan.json"
        if self.plan.exists():
            if not resume:
                raise DataError(f"{out}: begun already; go on with --resume, or give a new folder")
            check_plan(self.plan, preset)
        elif out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise DataError(f"{out}: there is something already; give a new folder")
        self.runs = preset.runs(self.studies)
        for run in self.runs:
            if self.folder(run).settings.exists():
                self.folder(run).check_settings(run.settings.model_dump(mode="json"))

    def run(self, executor: Executor, listen: Listener = lambda *_: None) -> list[str]:
        """Do what is not done yet; the names of the runs and analyses that failed."""
        RunFolder(self.out).create()
        with lock_folder(self.out):
            write_plan(self.plan, self.preset)
            for run in {run.corpus: run for run in self.runs}.values():
                self._make_corpus(run, executor, listen)
            workshop = _Workshop(self, executor, listen)
            failed = workshop.analyse([])  # what an earlier call has trained
            failed += workshop.train()
            return failed + workshop.analyse(failed)

    def folder(self, run: PlannedRun) -> RunFolder:
        return RunFolder(self.out / "runs" / run.name)

    def corpus(self, name: str) -> Path:
        return self.out / "corpora" / name

    def analysis(self, study: str, run: PlannedRun) -> Path:
        return self.out / "analyses" / study / f"{run.name}.json"

    def asked(self) -> list[Asked]:
        """What is still to be asked of models that are trained."""
        return [
            (study, run)
            for name in self.studies
            for study in [self.preset.studies[name]]
            for run in {run.name: run for run in study.analysed(self.preset.setup)}.values()
            if self.folder(run).test.exists() and not self._is_answered(study, run)
        ]

    def _is_answered(self, study: Study, run: PlannedRun) -> bool:
        """What a study asks with other settings than the last time is another question."""
        file = self.analysis(study.name, run)
        try:
            return bool(json.loads(file.read_text(encoding="utf-8"))[ASKED_WITH] == study.question())
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return False

    def _make_corpus(self, run: PlannedRun, executor: Executor, listen: Listener) -> None:
        """The corpus of a run; if it has exceptions, after the one that these are put into."""
        self._grow(run.grown, executor, listen)
        if run.exceptions and not (self.corpus(run.corpus) / "manifest.json").exists():
            listen("corpus", {"name": run.corpus})
            with fresh_folder(self.corpus(run.corpus)) as folder:
                run.exceptions.put_into(self.corpus(run.grown), folder)

    def _grow(self, name: str, executor: Executor, listen: Listener) -> None:
        if not (self.corpus(name) / "manifest.json").exists():
            if self.corpus(name).exists():
                raise DataError(f"{self.corpus(name)}: not a whole corpus; remove it and go on with --resume")
            listen("corpus", {"name": name})
            with fresh_folder(self.corpus(name)) as folder:
                write_corpus(generate_corpus(self.preset.corpora[name], executor.in_order), folder, __version__)


class _Workshop:
    """Jobs are handed out and their outcome is put where it belongs."""

    def __init__(self, reproduction: Reproduction, executor: Executor, listen: Listener) -> None:
        self.own, self.executor, self.listen = reproduction, executor, listen
        self.shared: dict[str, Any] = {}  # corpora that have been sent already

    def train(self) -> list[str]:
        """The names of the runs that failed."""
        todo = [run for run in self.own.runs if not self.own.folder(run).test.exists()]
        self.listen("runs", {"all": len(self.own.runs), "todo": len(todo)})
        for run in todo:
            self._log(run).unlink(missing_ok=True)  # of the last time
        tasks = [(self._corpus(run), self._folder(run), run.settings.model_dump(mode="json")) for run in todo]
        failed = []
        for done in self.executor.as_completed(train, tasks):
            run = todo[done.number]
            facts, files = done.result or ({}, {})
            if files:
                write_files(files, self.own.folder(run).path, last=self.own.folder(run).test.name)
            for study in self.own.preset.studies if done.error is None else ():  # of the model that was there before
                self.own.analysis(study, run).unlink(missing_ok=True)
            failed += self._tell("run", run.name, done, self._log(run), facts)
        return failed

    def analyse(self, failed_before: list[str]) -> list[str]:
        """What can be asked now, but for what has failed already; the names of what failed."""
        todo = [asked for asked in self.own.asked() if _name(asked) not in failed_before]
        if todo:
            self.listen("analyses", {"all": len(todo), "todo": len(todo)})
        needed = (RunFolder(Path()).model.name, ANSWERS)
        tasks = [(study, run, self._folder(run, needed), self._corpus(run)) for study, run in todo]
        failed = []
        for done in self.executor.as_completed(analyse, tasks):
            study, run = todo[done.number]
            out = self.own.analysis(study.name, run)
            out.with_suffix(".log").unlink(missing_ok=True)
            if done.error is None:
                out.parent.mkdir(parents=True, exist_ok=True)
                write_json(out, {ASKED_WITH: study.question(), **done.result})
            failed += self._tell("analysis", _name((study, run)), done, out.with_suffix(".log"), {})
        return failed

    def _tell(self, kind: str, name: str, done: Done, log: Path, facts: dict[str, Any]) -> list[str]:
        """Tell how a job ended, and keep the log of a failure; its name, if it failed."""
        self.listen(kind, {"name": name, "error": done.error, "log": done.log, **facts})
        if done.error is None:
            return []
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"{done.error}\n\n{done.log}\n", encoding="utf-8")
        return [name]

    def _log(self, run: PlannedRun) -> Path:
        return self.own.folder(run).path / "failed.log"

    def _corpus(self, run: PlannedRun) -> Any:
        path = self.own.corpus(run.corpus)
        if self.executor.shares_files:
            return path
        if run.corpus not in self.shared:
            self.shared[run.corpus] = self.executor.share(files_of(path))
        return self.shared[run.corpus]

    def _folder(self, run: PlannedRun, needed: tuple[str, ...] = ()) -> Folder:
        path = self.own.folder(run).path
        return path if self.executor.shares_files else files_of(path, needed)


def _name(asked: Asked) -> str:
    study, run = asked
    return f"{study.name}: {run.name}"
