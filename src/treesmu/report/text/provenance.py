"""Where the numbers come from: versions, machines, time, corpora with checksums, settings. And what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..figures.palette import in_order, model_name
from ..folder import FinishedRun, Folder, StudyResults
from ..table import Cell, Column, Table

PAPER_EPOCHS = 100
FEW = 10_000  # training equations; the paper has 27,207 of depth 1-7, training and validation together


def facts(folder: Folder) -> list[tuple[str, str]]:
    """What is to be known, name and value."""
    plan, runs = folder.plan, folder.runs
    versions = sorted({f"treesmu {run.settings.get('treesmu')}, torch {run.settings.get('torch')}" for run in runs})
    seconds = sum(epoch["seconds"] for run in runs for epoch in run.epochs)
    seeds = sorted({run.own["seed"] for run in runs})
    return [
        ("preset", str(plan.get("name"))),
        ("begun", str(plan.get("begun", "unknown"))),
        ("trained with", "; ".join(versions) or "–"),
        ("machine", "; ".join(_machine(machine) for machine in plan.get("machines", [])) or "unknown"),
        ("seeds", ", ".join(map(str, seeds)) or "–"),
        ("runs", f"{len(runs)} finished, {seconds / 3600:,.1f} hours of training in all, one thread each"),
        ("corpora", "; ".join(f"{name} ({_words(given)})" for name, given in folder.corpora.items())),
    ]


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine.get('processor')}, {machine.get('cores')} cores, {machine.get('system')}, Python {machine.get('python')}"


def _words(given: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in given.items())


def corpora_table(folder: Folder) -> Table | None:
    """The files that runs were trained and tested on; where runs of one corpus had different files, all of them."""
    rows: dict[tuple[Cell, ...], None] = {}
    for run in folder.runs:
        for file, found in run.settings["corpus"].items():
            rows[(run.name.partition("/")[0], file, found["rows"], found["sha256"])] = None
    if not rows:
        return None
    columns = (Column("corpus"), Column("file"), Column("rows"), Column("SHA-256"))
    ordered = sorted(rows, key=lambda row: (str(row[0]), str(row[1])))
    return Table("corpora", "Files of the corpora, as they were when models were trained", columns, tuple(ordered), keys=2)


def settings_table(folder: Folder) -> Table | None:
    """The recipes as the main study has them; other studies change a setting on purpose. A majority is not trained."""
    study = folder.study("productivity")
    trained = [group for group in (study.groups if study else []) if group.model != "majority"]
    first = {group.recipe: group.runs[0].own for group in reversed(trained)}
    if not first:
        return None
    recipes = sorted(first)
    names = [name for name in first[recipes[0]] if name not in ("model", "recipe", "cell", "seed", "depths")]
    rows: list[tuple[Cell, ...]] = [(name, *(_setting(first[recipe].get(name)) for recipe in recipes)) for name in names]
    columns = (Column("setting"), *(Column(f"recipe {recipe}") for recipe in recipes))
    return Table("settings", "Settings of the recipes", columns, tuple(rows))


def _setting(value: Any) -> str:
    return (
        "–"
        if value is None
        else str(value).lower()
        if isinstance(value, bool)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def models_table(folder: Folder) -> Table | None:
    """The models' own settings in the main study."""
    study = folder.study("productivity")
    first: dict[str, FinishedRun] = {}
    for group in study.groups if study else []:
        first.setdefault(group.model, group.runs[0])
    if not first:
        return None
    rows: list[tuple[Cell, ...]] = [
        (model_name(model), first[model].settings["parameters"], _words(first[model].cell) or "–")
        for model in sorted(first, key=in_order)
    ]
    return Table("models", "Models of the main study", (Column("model"), Column("parameters"), Column("settings")), tuple(rows))


# -- what is missing ---------------------------------------------------------------------------------------------------


def missing(folder: Folder) -> list[str]:
    """Plain sentences; empty when all is done."""
    begun = [study for study in folder.studies if study.runs]
    said = [sentence for study in begun for sentence in _missing_in(study)]
    if waiting := [study.title for study in folder.studies if not study.runs]:
        said.append(f"Not run yet: {'; '.join(waiting)}.")
    if single := [study.title for study in begun if {group.seeds for group in study.groups} == {1}]:
        said.append(f"One seed, so that nothing can be said about chance: {'; '.join(single)}.")
    if fewer := _fewer_epochs(begun):
        said.append(f"Fewer epochs than the paper's {PAPER_EPOCHS}: {fewer}.")
    if small := [corpus for corpus in folder.corpora if 0 < _most_rows(folder, corpus) < FEW]:
        many = ", ".join(f"{_most_rows(folder, corpus):,} ({corpus})" for corpus in small)
        said.append(f"Few equations to learn from, so that models differ less than they could: {many}; the paper has 27,207.")
    return said


def _fewer_epochs(studies: list[StudyResults]) -> str:
    """By recipe, and by study; those with the same numbers together."""
    titles: dict[str, list[str]] = {}
    for study in studies:
        epochs = {run.own["recipe"]: run.own["epochs"] for run in study.runs if run.own["model"] != "majority"}
        if study.name != "data_size" and any(number < PAPER_EPOCHS for number in epochs.values()):  # there by steps
            said = ", ".join(f"{number} (recipe {recipe})" for recipe, number in sorted(epochs.items()))
            titles.setdefault(said, []).append(study.title)
    return "; ".join(f"{said} in {', '.join(some)}" for said, some in titles.items())


def _most_rows(folder: Folder, corpus: str) -> int:
    """The largest training set of this corpus."""
    return max((int(run.settings["rows"]) for run in folder.runs if run.name.startswith(f"{corpus}/")), default=0)


def _missing_in(study: StudyResults) -> Iterator[str]:
    if gone := study.missing_runs:
        yield f"{study.title}: {len(gone)} of {len(study.planned)} runs are not finished, the first: {gone[0]}."
    waiting = [name for name in study.missing_analyses if name not in study.missing_runs]
    if waiting:
        yield f"{study.title}: {len(waiting)} trained models are not analysed yet, the first: {waiting[0]}."
