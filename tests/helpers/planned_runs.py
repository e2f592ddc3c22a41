"""The runs that a study plans, and the analyses that a reproduction has written."""

from __future__ import annotations

import json
from typing import Any

from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.study import PlannedRun

CORPUS = '[corpora.c]\npreset = "hard"\n'


def runs_of(study: str, settings: str = "", training: str = "") -> list[PlannedRun]:
    """Return the runs of a study on the corpus c. settings: of the study; training: of a recipe; both are TOML."""
    text = f'{CORPUS}{training}\n[studies.{study}]\ncorpora = ["c"]\n{settings}'
    preset = Preset("test", text, "test")
    return list(preset.studies[study].runs(preset.setup))


def analyses_of(done: Reproduction, study: str) -> list[tuple[PlannedRun, dict[str, Any]]]:
    """Return the analyses of a study with their runs."""
    runs = done.preset.studies[study].analysed_runs(done.preset.setup)
    return [(run, json.loads(done.analysis_file(study, run).read_text())) for run in runs]
