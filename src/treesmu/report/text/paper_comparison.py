"""Our results next to the paper's, and what differs between the two besides the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ..figures.palette import CELLS, model_name
from ..folder import Folder
from ..paper import PAPER_EPOCHS, paper_lead, paper_value
from ..runs import Measure, SeedGroup, find
from ..section import LOCALISM, PRODUCTIVITY, SYSTEMATICITY, productivity
from ..table import Cell, Column, Columns, Compared, Table, groups_table
from .effects import Conditions
from .sentences import epochs, percent, points, quantity, seeds_note

TESTS = {  # the study of each test and the depths of its equations
    "systematicity": ("productivity", SYSTEMATICITY),
    "productivity": ("productivity", PRODUCTIVITY),
    "localism": ("localism", LOCALISM),
}
PAPER_NOTE = "The paper's numbers are shown if corpus and recipe are like the paper's."


def measures_table(groups: tuple[SeedGroup, ...], study: str, caption: str, measures: Mapping[str, Measure]) -> Table:
    """Return all measures of all models, with the paper's numbers for this study."""

    def compare(group: SeedGroup, name: str) -> Cell:
        ours, paper = measures[name](group), paper_value(study, group.model, name)
        return Compared(ours, paper) if ours and paper and group.is_paper_like else ours

    columns: Columns = {Column.percent(f"{name} %", has_best=name in TESTS): partial(compare, name=name) for name in measures}
    columns[Column("seeds")] = lambda group: group.seeds
    return groups_table(study, caption, groups, columns, (seeds_note(groups), PAPER_NOTE))


def paper_lead_sentence(test: str, other: str) -> str:
    """Return how far Tree-SMU is ahead of another model in the paper, as a sentence; empty if the paper does not say."""
    lead = paper_lead(TESTS[test][0], "tree-smu", other, test)
    return "" if lead is None else f" In the paper: {points(lead)}."


def paper_like_groups(conditions: Conditions) -> list[SeedGroup]:
    """Return the groups whose corpus and recipe are like the paper's."""
    return next((groups for groups in conditions.values() if groups[0].is_paper_like), [])


# -- sentences ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Our accuracy and the paper's in one test, and both base rates, as text. models: the groups trained for this test."""

    test: str
    accuracy: str
    base_rate: str
    models: list[SeedGroup]


def compare_with_paper(folder: Folder, conditions: Conditions) -> tuple[str, ...]:
    """Return sentences on the accuracy of Tree-SMU, or else of the best cell, on base rates and on epochs."""
    cell = _chosen_cell(paper_like_groups(conditions))
    tests = [found for test in TESTS if (found := _compare(folder, cell, test))] if cell else []
    if not cell or not tests:
        return ()
    accuracies = ", ".join(f"{found.test} {found.accuracy}" for found in tests)
    base_rates = ", ".join(f"{found.test} {found.base_rate}" for found in tests)
    runs = [run for group in {id(group): group for found in tests for group in found.models}.values() for run in group.runs]
    rising = sum(run.is_still_rising for run in runs)
    stopped = "; there, accuracy was still rising when training ended" if rising else ""
    return (
        f"{model_name(cell.model)} ({cell.condition}): {accuracies}.",
        f"Base rate (share of the larger class among the test equations): {base_rates}.",
        f"Training: {_epochs(tests)}; in the paper up to {PAPER_EPOCHS}.",
        f"The last epoch has the best validation accuracy in {rising} of {quantity(len(runs), 'run')}{stopped}.",
    )


def _chosen_cell(groups: list[SeedGroup]) -> SeedGroup | None:
    cells = [(value.mean, group) for cell in CELLS if (group := find(groups, cell)) and (value := productivity(group))]
    best = max(cells, key=lambda pair: pair[0], default=(0, None))[1]
    return find(groups, "tree-smu") or best


def _compare(folder: Folder, cell: SeedGroup, test: str) -> Comparison | None:
    """Return the comparison, or None if either our accuracy or the paper's is unknown."""
    name, depths = TESTS[test]
    study = folder.study(name)
    groups = study.conditions.get(cell.condition, []) if study else []
    group = find(groups, cell.model)
    accuracy, base_rate = (group.accuracy(*depths), group.base_rate(*depths)) if group else (None, None)
    paper, paper_base_rate = paper_value(name, cell.model, test), paper_value(name, "majority", test)
    if accuracy is None or base_rate is None or paper is None or paper_base_rate is None:
        return None
    return Comparison(
        test,
        f"{percent(accuracy)} (paper {percent(paper.mean / 100)})",
        f"{percent(base_rate)} (paper {percent(paper_base_rate.mean / 100)})",
        [group for group in groups if group.model != "majority"],
    )


def _epochs(tests: list[Comparison]) -> str:
    """Return the epochs of each test; tests with the same number are named together."""
    found: dict[str, list[str]] = {}
    for test in tests:
        found.setdefault(epochs(test.models), []).append(test.test)
    return "; ".join(f"{many} ({', '.join(names)})" if len(found) > 1 else many for many, names in found.items())
