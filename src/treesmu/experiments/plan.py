"""plan.json: what the report needs to know besides run folders and analyses."""

from __future__ import annotations

import inspect
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treesmu import __version__
from treesmu.data import DataError
from treesmu.json_files import read_json, write_json

from .preset import Preset


def check_plan(file: Path, preset: Preset) -> None:
    """Raise a DataError if the folder was made with another preset or other corpora.

    Studies may change: the settings of each run are compared separately. So may a corpus that was not made yet, such as one
    of files that could not be read and were repaired.
    """
    remedy = "give a new folder"
    stored = read_json(file, remedy)
    try:
        corpora = stored["preset"]["corpora"]
        wanted = preset.content["corpora"]
        changed = [name for name in wanted if name in corpora and corpora[name] != wanted[name]]
        changed += [] if not corpora or corpora.keys() & wanted else list(corpora)  # another corpus of a user's own
        changed = [name for name in changed if _is_used(file.parent, name)]
        if not isinstance(stored["machines"], list):
            raise TypeError
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{file}: not a plan of treesmu reproduce; {remedy}") from error
    if (name := stored.get("name")) != preset.name:
        raise DataError(f"{file.parent}: made with preset {name}, not {preset.name}; continue with --preset {name}")
    if changed:
        raise DataError(f"{file.parent}: made with another corpus {changed[0]!r}; give a new folder")


def _is_used(out: Path, corpus: str) -> bool:
    """Return whether a corpus was made, or runs on it, or on a corpus that is made from it, were begun."""
    begun = os.listdir(out / "runs") if (out / "runs").exists() else []
    return (out / "corpora" / corpus).exists() or any(name.partition("+")[0] == corpus for name in begun)


def write_plan(file: Path, preset: Preset) -> None:
    """Write plan.json with all studies of the preset. A file that exists keeps its start time and its machines."""
    stored = read_json(file, "give a new folder") if file.exists() else {}
    machines = stored.get("machines", [])
    content = {
        "version": __version__,
        "name": preset.name,
        "begun": stored.get("begun") or datetime.now(UTC).isoformat(timespec="seconds"),
        "machines": machines + [machine for machine in [_machine()] if machine not in machines],
        "preset": preset.content,
        "missing": preset.missing,
        "studies": {name: _study(preset, name) for name in preset.studies},
    }
    write_json(file, content)


def _study(preset: Preset, name: str) -> dict[str, Any]:
    """Return what the report needs of a study. runs: the variant of each run, by name."""
    study = preset.studies[name]
    return {
        "title": study.title,
        "settings": study.model_dump(mode="json"),
        "asks": inspect.cleandoc(study.__doc__ or ""),
        "runs": {run.name: run.variant for run in study.runs(preset.setup)},
        "left_out": study.left_out(preset.setup),
        "analyses": list(dict.fromkeys(run.name for run in study.analysed_runs(preset.setup))),
    }


def _machine() -> dict[str, Any]:
    """Describe this machine: speeds mean nothing without it."""
    python = platform.python_version()
    return {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count(), "python": python}


def _processor() -> str:
    """Return the processor's name as Linux reports it; elsewhere, what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
