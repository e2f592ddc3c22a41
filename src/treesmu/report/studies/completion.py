"""Completion: top-1 and top-5 accuracy by depth, beside a ranking that does not look at the equation."""

from __future__ import annotations

from typing import Any

from ..figures.by_depth import model_looks
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import GREY, model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..numbers import Spread
from ..section import Section, analysed_depths, conditions, find
from ..table import Cell, Column, Table
from ..text.sentences import bands_note, condition_name, percent, seeds_note, shares

RANKS = ("raw", "class", "collapse", "true")
FAIR = "collapse"  # the one to compare with the prior, whose first fillers are all of the commonest value
PRIOR = "ranked by how often a value occurs in the training set, without a look at the equation"
TOPS = {"top-1": 0, "top-5": 4}


def section(study: StudyResults, folder: Folder) -> Section:
    if not study.analyses:
        return Section(study, ())
    return Section(study, (_figure(study, folder), _table(study, folder)), _conclusions(study, folder))


def top(
    study: StudyResults, group: SeedGroup, rank: str, place: int, depth: str | None = None, prior: bool = False
) -> Spread | None:
    """The share answered within the first place + 1, over seeds."""

    def measure(analysis: dict[str, Any]) -> float | None:
        found = analysis["overall"] if depth is None else analysis["by_depth"].get(depth, {})
        ranks = found.get("prior", {}) if prior else found
        return float(ranks[rank]["top"][place]) if rank in ranks else None

    return study.asked(group, measure)


def _figure(study: StudyResults, folder: Folder) -> Figure:
    depths = analysed_depths(study)
    panels = []
    for condition, groups in conditions(folder, study.groups).items():
        for name, place in TOPS.items():
            lines = [
                Series.over(points={float(d): top(study, group, FAIR, place, d) for d in depths}, **model_looks(group))
                for group in groups
            ]
            prior = {float(d): top(study, groups[0], FAIR, place, d, prior=True) for d in depths}
            lines.append(Series.over("prior", prior, colour=GREY, style=":"))
            title, ticks = f"{name}: {condition_name(condition)}", tuple(float(depth) for depth in depths)
            panels.append(Lines(title, "depth of the equation", "blanks answered (%)", tuple(lines), (0, 100), ticks=ticks))
    note = (
        "A blank is answered if its value is among the first one or five values (rank “collapse”). Prior: "
        f"{PRIOR}. {bands_note(study.groups)}"
    )
    return Figure("completion-by-depth", _title(study), note, tuple(panels))


def _title(study: StudyResults) -> str:
    found = [(value, group) for group in study.groups if (value := top(study, group, FAIR, TOPS["top-5"]))]
    if not found:
        return "Blanks that are answered, by depth"
    best, group = max(found, key=lambda pair: pair[0].mean)
    prior = top(study, group, FAIR, TOPS["top-5"], prior=True)
    beside = f"; the prior, which does not look at the equation, for {percent(prior.mean)}" if prior else ""
    who = f"{model_name(group.model)} ({condition_name((group.corpus, group.recipe))})"
    return f"The best, {who}, has the value among its first five for {percent(best.mean)} of the blanks{beside}"


def _table(study: StudyResults, folder: Folder) -> Table:
    columns = [Column("corpus"), Column("recipe"), Column("model")]
    columns += [Column.percent(f"{rank} {name} %", is_best=True) for rank in RANKS for name in TOPS]
    rows: list[tuple[Cell, ...]] = []
    for (corpus, recipe), groups in conditions(folder, study.groups).items():
        for group in groups:
            cells = [top(study, group, rank, place) for rank in RANKS for place in TOPS.values()]
            rows.append((corpus, recipe, model_name(group.model), *cells))
        prior = [top(study, groups[0], rank, place, prior=True) for rank in RANKS for place in TOPS.values()]
        rows.append((corpus, recipe, "prior", *(None if cell is None else Spread(cell.values[:1]) for cell in prior)))
    return Table(
        name="completion",
        caption="Completion of blanks in equations of depth 8-13, by models trained to verify depth 1-7",
        columns=tuple(columns),
        rows=tuple(rows),
        keys=3,
        notes=(
            seeds_note(study.groups),
            "raw: the very filler; class: any filler of its value; collapse: its value among the values; true: any filler that "
            "makes the equation correct; prior: "
            f"{PRIOR}. All fillers of the commonest value are its first, so only collapse compares models with it.",
        ),
    )


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    found, prior = [], []
    for condition, groups in conditions(folder, study.groups).items():
        smu = find(groups, "tree-smu")
        values = [top(study, smu, FAIR, TOPS["top-5"], prior=is_prior) for is_prior in (False, True)] if smu else []
        if values and values[0] and values[1]:
            found.append((condition, values[0]))
            prior.append((condition, values[1]))
    if not found:
        return ()
    ahead = sum(value.mean > known.mean for (_, value), (_, known) in zip(found, prior, strict=True))
    outcome = f"Tree-SMU is ahead of it in {ahead} of {len(found)} conditions"
    return (
        f"The right value is among Tree-SMU's first five for {shares(found)}.",
        f"A prior, {PRIOR}: {shares(prior)}. {outcome}.",
    )
