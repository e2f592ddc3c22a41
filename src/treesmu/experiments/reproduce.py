"""Reproduction: carry out the studies of a preset in a folder. Nothing that is finished is done again.

    OUT/plan.json        the preset, what each study asks and which runs it needs, the machines (plan.py)
    OUT/corpora/NAME     one corpus folder per corpus
    OUT/runs/...         one run folder per run (study.PlannedRun.name); failed.log in it, if the run failed
    OUT/analyses/STUDY/... .json   one analysis per study and trained model; .log instead, if it failed

The report reads these files, and no model.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treesmu import __version__
from treesmu.data import DataError
from treesmu.engine import Executor, FinishedJob
from treesmu.files import fresh_folder, lock_folder, remove_unfinished
from treesmu.generate.corpus import generate_corpus
from treesmu.generate.write import write_corpus
from treesmu.json_files import write_json
from treesmu.training.run_folder import RunFolder

from .file_corpus import FileCorpus
from .jobs import analyse, check_models, folder_argument, shared_folder_argument, train, write_failure, write_files
from .own_corpus import OwnCorpus
from .plan import check_plan, write_plan
from .preset import Preset
from .probes.flipped_labels import RECORDED
from .study import PlannedRun, Study
from .tree_corpus import TreeCorpus
from .tree_files import TreeFiles

Callback = Callable[[str, dict[str, Any]], None]  # called with the name of an event and its facts
Analysis = tuple[Study, PlannedRun]
SETTINGS_KEY = "asked_with"  # in the file of an analysis: the study's settings


class Reproduction:
    """A preset in a folder. Invalid arguments are a DataError of the constructor, which writes nothing.

    only: the names of the studies, if not all. device: on which models are trained, ``auto | cpu | cuda | mps``.
    """

    def __init__(
        self, preset: Preset, out: Path, *, only: list[str] | None = None, resume: bool = False, device: str = "cpu"
    ) -> None:
        self.preset, self.out, self.device = preset, out, device
        if impossible := [name for name in only or [] if name in preset.left_out]:
            raise DataError(f"study {impossible[0]}: {preset.left_out[impossible[0]]}")
        if unknown := [name for name in only or [] if name not in preset.studies]:
            raise DataError(f"no study {unknown[0]!r} in preset {preset.name}; there are: {', '.join(preset.studies)}")
        self.studies = [name for name in preset.studies if not only or name in only]
        self.plan = out / "plan.json"
        if self.plan.exists():
            if not resume:
                raise DataError(f"{out}: already contains a reproduction; continue it with --resume, or give a new folder")
            check_plan(self.plan, preset)
        elif out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise DataError(f"{out}: exists and contains something else; give a new folder")
        self.runs = preset.runs(self.studies)
        for run in self.runs:
            if self.run_folder(run).settings.exists():
                self.run_folder(run).check_settings(run.settings.model_dump(mode="json"))

    def run(self, executor: Executor, callback: Callback = lambda *_: None) -> list[str]:
        """Do what is not finished yet, and return the names of the runs and analyses that failed.

        The callback is called with ``corpus``, ``runs``, ``run``, ``analyses`` and ``analysis``.
        """
        check_models(executor, (run.settings.model for run in self.runs))
        RunFolder(self.out).create()
        with lock_folder(self.out):
            if self.plan.exists():
                check_plan(self.plan, self.preset)  # again: another process may have written it meanwhile
            remove_unfinished(self.out)
            write_plan(self.plan, self.preset)
            for run in {run.corpus: run for run in self.runs}.values():
                self._make_corpus(run, executor, callback)
            for name in dict.fromkeys(name for study in self.studies for name in self.preset.studies[study].read_corpora()):
                self._generate(name, executor, callback)
            runner = _JobRunner(self, executor, callback)
            failed = runner.analyse([])  # the models that an earlier call has trained
            failed += runner.train()
            return failed + runner.analyse(failed)

    def run_folder(self, run: PlannedRun) -> RunFolder:
        """Return the folder of a run."""
        return RunFolder(self.out / "runs" / run.name)

    def corpus(self, name: str) -> Path:
        """Return the folder of a corpus."""
        return self.out / "corpora" / name

    def analysis_file(self, study: str, run: PlannedRun) -> Path:
        """Return the file of an analysis."""
        return self.out / "analyses" / study / f"{run.name}.json"

    def pending_analyses(self) -> list[Analysis]:
        """Return the analyses of trained models that are missing or were made with other settings."""
        return [
            (study, run)
            for name in self.studies
            for study in [self.preset.studies[name]]
            for run in {run.name: run for run in study.analysed_runs(self.preset.setup)}.values()
            if self.run_folder(run).test.exists() and not self._is_analysed(study, run)
        ]

    def _is_analysed(self, study: Study, run: PlannedRun) -> bool:
        file = self.analysis_file(study.name, run)
        try:
            return bool(json.loads(file.read_text(encoding="utf-8"))[SETTINGS_KEY] == study.analysis_settings())
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return False

    def _make_corpus(self, run: PlannedRun, executor: Executor, callback: Callback) -> None:
        """Make the corpus of a run; one with exceptions is made from the generated corpus."""
        self._generate(run.source_corpus, executor, callback)
        if run.exceptions and not (self.corpus(run.corpus) / "manifest.json").exists():
            callback("corpus", {"name": run.corpus})
            with fresh_folder(self.corpus(run.corpus)) as folder:
                run.exceptions.write_corpus(self.corpus(run.source_corpus), folder)

    def _generate(self, name: str, executor: Executor, callback: Callback) -> None:
        if not (self.corpus(name) / "manifest.json").exists():
            if self.corpus(name).exists():
                raise DataError(f"{self.corpus(name)}: an incomplete corpus; remove it and continue with --resume")
            callback("corpus", {"name": name})
            with fresh_folder(self.corpus(name)) as folder:
                settings = self.preset.corpora[name]
                if isinstance(settings, OwnCorpus):
                    settings.copy_to(folder)
                elif isinstance(settings, FileCorpus):
                    settings.write(folder, executor.in_order)
                elif isinstance(settings, TreeCorpus | TreeFiles):
                    settings.write(folder)
                else:
                    write_corpus(generate_corpus(settings, executor.in_order), folder, __version__)


class _JobRunner:
    """Submits training runs and analyses as jobs, and stores what they return."""

    def __init__(self, reproduction: Reproduction, executor: Executor, callback: Callback) -> None:
        self.reproduction, self.executor, self.callback = reproduction, executor, callback
        self.corpora: dict[str, Any] = {}  # arguments of jobs, by the corpus's name

    def train(self) -> list[str]:
        """Train what is not trained yet, and return the names of the runs that failed."""
        reproduction = self.reproduction
        pending = [run for run in reproduction.runs if not reproduction.run_folder(run).test.exists()]
        self.callback("runs", {"all": len(reproduction.runs), "todo": len(pending)})
        for run in pending:
            self._log(run).unlink(missing_ok=True)  # left by an earlier call
        tasks = [
            (
                self._corpus(run.corpus),
                folder_argument(self.executor, reproduction.run_folder(run).path),
                run.settings.model_dump(mode="json"),
                reproduction.device,
            )
            for run in pending
        ]
        failed = []
        for job in self.executor.as_completed(train, tasks):
            run = pending[job.number]
            scores, files = job.result or ({}, {})
            facts = {"task": run.settings.task} | scores
            if files:
                folder = reproduction.run_folder(run)
                write_files(files, folder.path, last=folder.test.name)
            for study in reproduction.preset.studies if job.error is None else ():  # analyses of a previous model
                reproduction.analysis_file(study, run).unlink(missing_ok=True)
            failed += self._report("run", run.name, job, self._log(run), facts)
        return failed

    def analyse(self, failed_before: list[str]) -> list[str]:
        """Make the pending analyses, except those that have failed before, and return the names of those that fail."""
        reproduction = self.reproduction
        pending = [analysis for analysis in reproduction.pending_analyses() if _name(analysis) not in failed_before]
        if pending:
            self.callback("analyses", {"all": len(pending), "todo": len(pending)})
        needed = (RunFolder(Path()).model.name, RECORDED)
        tasks = []
        for study, run in pending:
            names = tuple(dict.fromkeys((run.corpus, *study.read_corpora())))
            folder = folder_argument(self.executor, reproduction.run_folder(run).path, needed)
            tasks.append((study, run, folder, names, *map(self._corpus, names)))
        failed = []
        for job in self.executor.as_completed(analyse, tasks):
            study, run = pending[job.number]
            out = reproduction.analysis_file(study.name, run)
            log = out.with_suffix(".log")
            log.unlink(missing_ok=True)
            if job.error is None:
                out.parent.mkdir(parents=True, exist_ok=True)
                write_json(out, {SETTINGS_KEY: study.analysis_settings(), **job.result})
            failed += self._report("analysis", _name((study, run)), job, log, {})
        return failed

    def _report(self, event: str, name: str, job: FinishedJob, log: Path, facts: dict[str, Any]) -> list[str]:
        """Tell the callback how a job ended, and write the log of a failure. Return its name if it failed."""
        self.callback(event, {"name": name, "error": job.error, "log": job.log, **facts})
        if job.error is None:
            return []
        write_failure(log, job)
        return [name]

    def _log(self, run: PlannedRun) -> Path:
        return self.reproduction.run_folder(run).path / "failed.log"

    def _corpus(self, name: str) -> Any:
        if name not in self.corpora:
            self.corpora[name] = shared_folder_argument(self.executor, self.reproduction.corpus(name))
        return self.corpora[name]


def _name(analysis: Analysis) -> str:
    study, run = analysis
    return f"{study.name}: {run.name}"
