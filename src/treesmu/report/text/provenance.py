"""Provenance of the numbers: versions, machines, training time, corpora with checksums, and settings."""

from __future__ import annotations

from typing import Any

from ..figures.palette import model_name, model_order
from ..folder import Folder
from ..runs import SeedGroup
from ..table import Column, Row, Table


def facts(folder: Folder) -> list[tuple[str, str]]:
    """Return names and values of what describes the whole reproduction."""
    plan, runs = folder.plan, folder.runs
    versions = sorted({f"treesmu {run.settings.get('treesmu')}, torch {run.settings.get('torch')}" for run in runs})
    seconds = sum(epoch["seconds"] for run in runs for epoch in run.epochs)
    seeds = sorted({run.training["seed"] for run in runs})
    return [
        ("preset", str(plan.get("name"))),
        ("started", str(plan.get("begun", "unknown"))),
        ("trained with", "; ".join(versions) or "–"),
        ("machine", "; ".join(_machine(machine) for machine in plan.get("machines", [])) or "unknown"),
        ("seeds", ", ".join(map(str, seeds)) or "–"),
        ("runs", f"{len(runs)} finished, {seconds / 3600:,.1f} hours of training in total, one thread each"),
        ("corpora", "; ".join(f"{name} ({_list(settings)})" for name, settings in folder.corpora.items())),
    ]


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine.get('processor')}, {machine.get('cores')} cores, {machine.get('system')}, Python {machine.get('python')}"


def _list(settings: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


def provenance_tables(folder: Folder) -> list[Table]:
    """Return the tables of models, settings and corpora, as far as there are runs."""
    study = folder.study("productivity")
    groups = list(study.groups) if study else []
    tables = (_models_table(groups), settings_table(groups), _corpora_table(folder))
    return [table for table in tables if table.rows]


def _models_table(groups: list[SeedGroup]) -> Table:
    """Return the settings of the models in the main study; a model with other settings in another recipe is named again."""
    first: dict[tuple[str, str], SeedGroup] = {}
    for group in sorted(groups, key=lambda group: model_order(group.model)):
        first.setdefault((group.model, _list(group.runs[0].cell)), group)
    rows: list[Row] = [(model_name(model), group.parameters, cell or "–") for (model, cell), group in first.items()]
    return Table("models", "Models of the main study", (Column("model"), Column("parameters"), Column("settings")), tuple(rows))


def settings_table(groups: list[SeedGroup]) -> Table:
    """Return the settings of each recipe in the main study; other studies change some of them on purpose."""
    first = {group.condition.recipe: group.runs[0].training for group in reversed(groups) if group.model != "majority"}
    recipes = sorted(first)
    names = [name for name in first[recipes[0]] if name not in ("model", "recipe", "cell", "seed", "depths")] if first else []
    rows: list[Row] = [(name, *(_setting(first[recipe].get(name)) for recipe in recipes)) for name in names]
    columns = (Column("setting"), *(Column(f"recipe {recipe}") for recipe in recipes))
    return Table("settings", "Settings of the recipes", columns, tuple(rows))


def _setting(value: Any) -> str:
    if value is None:
        return "–"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _corpora_table(folder: Folder) -> Table:
    """Return the files that models were trained and tested on; all of them if runs of one corpus had different files."""
    rows: set[Row] = {
        (run.name.partition("/")[0], file, facts["rows"], facts["sha256"])
        for run in folder.runs
        for file, facts in run.settings["corpus"].items()
    }
    columns = (Column("corpus"), Column("file"), Column("rows"), Column("SHA-256"))
    ordered = sorted(rows, key=lambda row: [*map(str, row)])
    return Table("corpora", "Files of the corpora at the time of training", columns, tuple(ordered), keys=2)
