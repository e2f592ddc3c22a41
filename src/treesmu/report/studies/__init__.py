"""The sections of the studies, one module for each; any other study gets a table of the accuracy of its runs.

Many modules because there are many studies.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from treesmu.errors import DataError

from ..figures.figure import Figure, drawable
from ..folder import StudyResults
from ..section import Section
from ..variants import accuracy_table
from . import (
    ablation,
    completion,
    data_size,
    elsewhere,
    localism,
    model_size,
    overgeneralisation,
    productivity,
    published,
    sample_efficiency,
    stack_operations,
    stack_size,
    step_by_step,
    substitutivity,
    variants,
)

SECTIONS: dict[str, Callable[[StudyResults], Section]] = {
    "published": published.section,
    "productivity": productivity.section,
    "localism": localism.section,
    "substitutivity": substitutivity.section,
    "step_by_step": step_by_step.section,
    "overgeneralisation": overgeneralisation.section,
    "sample_efficiency": sample_efficiency.section,
    "stack_size": stack_size.section,
    "stack_operations": stack_operations.section,
    "model_size": model_size.section,
    "completion": completion.section,
    "ablation": ablation.section,
    "variants": variants.section,
    "data_size": data_size.section,
    "elsewhere": elsewhere.section,
}
FROM_ANALYSES = (
    "published",
    "substitutivity",
    "step_by_step",
    "overgeneralisation",
    "completion",
)  # sections without accuracy of runs


def section(study: StudyResults, folder: Path) -> Section:
    """Return the section of a study, without parts if it has no results yet; empty figures are omitted."""
    if not study.groups or (study.name in FROM_ANALYSES and not study.analyses):
        return Section(study, ())
    try:
        found = SECTIONS.get(study.name, _unknown)(study)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        # Runs were checked when they were read: what is left are analyses, and the settings of the study.
        where = folder / "analyses" / study.name if study.analyses else f"{folder / 'plan.json'}, settings of {study.name}"
        remedy = "remove it and run: treesmu reproduce --resume"
        raise DataError(f"{where}: not what this version writes ({error!r}); {remedy}") from error
    parts = [drawable(part) if isinstance(part, Figure) else part for part in found.parts]
    return Section(study, tuple(part for part in parts if part is not None), found.conclusions, found.families)


def _unknown(study: StudyResults) -> Section:
    return Section(study, (accuracy_table(study, f"{study.title}: accuracy", "variant"),))
