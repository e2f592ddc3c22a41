"""The section of one study, made from runs with given outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduced import run_name, study, write_analysis, write_outcome, write_plan, write_run, write_validation
from treesmu.report.figures.figure import Figure
from treesmu.report.folder import Folder
from treesmu.report.section import Section
from treesmu.report.studies import section
from treesmu.report.table import Table
from treesmu.report.text.summary import summarise

DEPTHS = range(1, 20)


def section_of(
    path: Path,
    name: str,
    right: dict[str, int],
    variants: dict[str, str] | None = None,
    analyses: dict[str, Any] | None = None,
    equations: int = 1000,
    rows: dict[str, int] | None = None,
    validation: dict[str, float] | None = None,
) -> Section:
    """Return the section of a study.

    right: by the name of the run, how many percent of the equations are judged right at every depth; variants, analyses, rows,
    validation: by the name of the run, the latter two the training equations and the accuracy on those of validation;
    equations: for the test at every depth.
    """
    write_plan(path, {name: study({run: (variants or {}).get(run, "") for run in right}, analyses or ())})
    for run, many in right.items():
        write_run(path, run, **({"rows": rows[run]} if rows else {}))
        write_outcome(path, run, dict.fromkeys(DEPTHS, many * equations // 100), equations // 2, equations)
    for run, accuracy in (validation or {}).items():
        write_validation(path, run, accuracy)
    for run, content in (analyses or {}).items():
        write_analysis(path, name, run, content)
    return section(Folder(path).studies[0], path)


def figure_of(found: Section, name: str) -> Figure:
    return next(part for part in found.parts if isinstance(part, Figure) and part.name == name)


def table_of(found: Section, name: str) -> Table:
    return next(part for part in found.parts if isinstance(part, Table) and part.name == name)


# -- the summary -------------------------------------------------------------------------------------------------------


def trained(
    path: Path, right: dict[tuple[str, str, str], int], other: dict[str, int] | None = None, equations: int = 1000
) -> Path:
    """Write one seed of each corpus, recipe and model; right: how many percent are judged right at every depth."""
    write_plan(path, {"productivity": study({run_name(c, m, r, 1): "" for c, r, m in right})})
    for (corpus, recipe, model), many in right.items():
        write_run(path, run_name(corpus, model, recipe, 1), **other or {})
        counts = dict.fromkeys(DEPTHS, many * equations // 100), equations // 2, equations
        write_outcome(path, run_name(corpus, model, recipe, 1), *counts)
    return path


def summary_paragraphs(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the sentences of the summary by heading."""
    folder = Folder(path)
    return dict(summarise(folder, [section(study, path) for study in folder.studies]).paragraphs)
