"""Substitutivity: maps of states, how pure their neighbourhoods are, and whether verdicts survive a substitution."""

from __future__ import annotations

from typing import Any

from ..figures.figure import Figure, Scatter
from ..figures.palette import model_name
from ..folder import Folder, SeedGroup, StudyResults
from ..section import Section, conditions, find, ordered, pairs
from ..table import Column, Table
from ..text.sentences import changes, condition_name, seeds_note, shares

MARKED = ("0", "1")  # as in the paper


def section(study: StudyResults, folder: Folder) -> Section:
    if not study.analyses:
        return Section(study, ())
    return Section(study, (_maps(study, folder), _table(study, folder)), _conclusions(study, folder))


def _maps(study: StudyResults, folder: Folder) -> Figure:
    """A panel for each model, of its first seed that was analysed."""
    panels = []
    for group in ordered(folder, study.groups):
        analysis = next((study.analyses[run.name] for run in group.runs if run.name in study.analyses), None)
        if analysis is not None:
            panels.append(_map(group, analysis))
    perplexity = next(iter(study.analyses.values()))["perplexity"]
    note = (
        f"t-SNE (perplexity {perplexity:g}) of the states of the same expressions of height 1-3, coloured by value, each value "
        "with its simplest expression; 0 and 1 are marked as in the paper. One seed."
    )
    return Figure("substitutivity", _title(study), note, tuple(panels), most_columns=3)


def _map(group: SeedGroup, analysis: dict[str, Any]) -> Scatter:
    expressions = analysis["expressions"]
    return Scatter(
        title=f"{model_name(group.model)}: {condition_name((group.corpus, group.recipe))}",
        x=tuple(float(e["place"][0]) for e in expressions),
        y=tuple(float(e["place"][1]) for e in expressions),
        kind=tuple(analysis["classes"][e["class"]] for e in expressions),
        marked=MARKED,
    )


def _title(study: StudyResults) -> str:
    found = [(value.mean, group) for group in study.groups if (value := study.asked(group, _purity))]
    if not found:
        return "States of expressions, coloured by value"
    (most, best), (least, worst) = max(found, key=lambda pair: pair[0]), min(found, key=lambda pair: pair[0])
    names = [f"{model_name(e.model)}, {condition_name((e.corpus, e.recipe))}" for e in (worst, best)]
    return f"Neighbours of equal value: from {100 * least:.0f}% ({names[0]}) to {100 * most:.0f}% ({names[1]})"


def _table(study: StudyResults, folder: Folder) -> Table:
    groups = ordered(folder, study.groups)
    states = {
        Column.percent("purity %", is_best=True): _purity,
        Column.percent("purity, fresh weights %"): lambda a: a["fresh"]["purity"],
        Column.percent("purity, chance %"): lambda a: a["chance"],
        Column("silhouette", 2, is_best=True): lambda a: a["silhouette"],
        Column("silhouette, fresh weights", 2): lambda a: a["fresh"]["silhouette"],
    }
    replaced = {
        Column.percent("agreement %"): _agreement,
        Column.percent("accuracy before %"): _accuracy,
        Column.percent("accuracy after %"): lambda a: a["replaced"]["accuracy_after"],
    }
    return Table(
        name="substitutivity",
        caption="Neighbours of equal value, and verdicts before and after a sub-expression is replaced by an equal one",
        columns=(*(Column("corpus"), Column("recipe"), Column("model")), *states, Column("equations compared", 0), *replaced),
        rows=tuple(
            (
                *(e.corpus, e.recipe, model_name(e.model)),
                *(study.asked(e, measure) for measure in states.values()),
                study.counted(e, lambda a: a["replaced"]["equations"]),
                *(study.asked(e, measure) for measure in replaced.values()),
            )
            for e in groups
        ),
        keys=3,
        notes=(seeds_note(groups),),
    )


def _conclusions(study: StudyResults, folder: Folder) -> tuple[str, ...]:
    """The paper's claim: Tree-SMU's representation is smoother than Tree-LSTM's."""
    said = []
    for name, measure in (("purity of neighbourhoods", _purity), ("agreement after a substitution", _agreement)):
        found = pairs(folder, study, ("tree-lstm", None), ("tree-smu", None), lambda group, m=measure: study.asked(group, m))  # type: ignore[misc]
        if found:
            said.append(f"Tree-SMU against Tree-LSTM, {name}: {changes(found)}.")
    right = [
        (condition, value)
        for condition, groups in conditions(folder, study.groups).items()
        if (smu := find(groups, "tree-smu")) and (value := study.asked(smu, _accuracy))
    ]
    if said and right:
        said.append(f"Verdicts that agree need not be right: on these equations Tree-SMU's are right for {shares(right)}.")
    return tuple(said)


def _purity(analysis: Any) -> Any:
    return analysis["purity"]


def _agreement(analysis: Any) -> Any:
    return analysis["replaced"]["agreement"]


def _accuracy(analysis: Any) -> Any:
    return analysis["replaced"]["accuracy_before"]
