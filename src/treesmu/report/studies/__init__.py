"""What each study shows: one file a study. One that is not known here shows the accuracy of its runs."""

from __future__ import annotations

from collections.abc import Callable

from treesmu.errors import DataError

from ..figures.figure import Figure, drawable
from ..folder import Folder, StudyResults
from ..section import Section
from ..variants import accuracy_table
from . import (
    ablation,
    completion,
    data_size,
    localism,
    model_size,
    overgeneralisation,
    productivity,
    sample_efficiency,
    stack_operations,
    stack_size,
    step_by_step,
    substitutivity,
)

SECTIONS: dict[str, Callable[[StudyResults, Folder], Section]] = {
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
    "data_size": data_size.section,
}


def section(study: StudyResults, folder: Folder) -> Section:
    """Without parts where no run is finished; figures only where there is something to draw."""
    if not study.runs:
        return Section(study, ())
    try:
        found = SECTIONS.get(study.name, _plain)(study, folder)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        if not study.analyses:
            raise  # runs were tried out when they were read
        where = folder.path / "analyses" / study.name
        remedy = "remove it and go on with: treesmu reproduce --resume"
        raise DataError(f"{where}: not what this version writes ({error!r}); {remedy}") from error
    parts = [drawable(part) if isinstance(part, Figure) else part for part in found.parts]
    return Section(study, tuple(part for part in parts if part is not None), found.conclusions)


def _plain(study: StudyResults, folder: Folder) -> Section:
    return Section(study, (accuracy_table(study, folder, f"{study.title}: accuracy", "variant"),))
