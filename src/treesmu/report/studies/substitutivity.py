"""Substitutivity: maps of states, purity of neighbourhoods, and predictions before and after a substitution."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..figures.figure import Figure, Scatter
from ..figures.palette import model_name
from ..folder import StudyResults
from ..runs import Pairs, SeedGroup
from ..section import Section, described_models
from ..statistics.family import Family
from ..table import Column, Columns, Table, groups_table
from ..text.claims import changes, title
from ..text.effects import cell_comparisons, compare
from ..text.sentences import seeds_note, shares

MARKED = ("0", "1")  # as in the paper
PURITY, AGREEMENT = "purity of neighbourhoods", "agreement after a substitution"


def section(study: StudyResults) -> Section:
    family = Family("substitutivity of the cells", _pairs(study))
    return Section(study, (_maps(study, family), _table(study)), _conclusions(study, family), (family,))


def _maps(study: StudyResults, family: Family) -> Figure:
    """Return a panel for each model, from its first analysed seed."""
    panels = []
    for group in study.groups:
        analysis = next((study.analyses[run.name] for run in group.runs if run.name in study.analyses), None)
        if analysis is not None:
            panels.append(_map(group, analysis))
    perplexity = next(iter(study.analyses.values()))["perplexity"]
    note = (
        f"t-SNE (perplexity {perplexity:g}) of the states of the same expressions of height 1-3, coloured by value; each value "
        "is labelled with its simplest expression; 0 and 1 are marked as in the paper. One seed."
    )
    cells = compare("tree-lstm", "tree-smu")
    heading = title("States of expressions, coloured by value", f"purity ({cells})", family[f"{cells}, {PURITY}"])
    return Figure("substitutivity", heading, note, tuple(panels), most_columns=3)


def _map(group: SeedGroup, analysis: dict[str, Any]) -> Scatter:
    expressions = analysis["expressions"]
    return Scatter(
        title=f"{model_name(group.model)}: {group.condition}",
        x=tuple(float(e["place"][0]) for e in expressions),
        y=tuple(float(e["place"][1]) for e in expressions),
        kind=tuple(analysis["classes"][e["class"]] for e in expressions),
        marked=MARKED,
    )


def _table(study: StudyResults) -> Table:
    def measure(of_analysis: Callable[[Any], Any]) -> Callable[[SeedGroup], Any]:
        return lambda group: study.over_analyses(group, of_analysis)

    columns: Columns = {
        Column.percent("purity %", has_best=True): measure(_purity),
        Column.percent("purity, untrained %"): measure(lambda a: a["fresh"]["purity"]),
        Column.percent("purity, chance %"): measure(lambda a: a["chance"]),
        Column("silhouette", 2, has_best=True): measure(lambda a: a["silhouette"]),
        Column("silhouette, untrained", 2): measure(lambda a: a["fresh"]["silhouette"]),
        Column("equations compared", 0): lambda group: study.count(group, lambda a: a["replaced"]["equations"]),
        Column.percent("agreement %"): measure(_agreement),
        Column.percent("accuracy before %"): measure(_accuracy),
        Column.percent("accuracy after %"): measure(lambda a: a["replaced"]["accuracy_after"]),
    }
    caption = "Neighbours of equal value, and predictions before and after a sub-expression is replaced by an equal one"
    return groups_table("substitutivity", caption, study.groups, columns, (seeds_note(study.groups),))


def _pairs(study: StudyResults) -> dict[str, Pairs]:
    """Return both measures of the cells that are compared, by comparison and measure."""
    compared = [(old, new) for old, new in cell_comparisons(study.models) if old != "tree-rnn"]
    return {
        f"{compare(old, new)}, {name}": study.pairs((old, None), (new, None), partial(study.over_analyses, measure=measure))
        for old, new in compared
        for name, measure in ((PURITY, _purity), (AGREEMENT, _agreement))
    }


def _conclusions(study: StudyResults, family: Family) -> tuple[str, ...]:
    """Return sentences on the paper's claim: the representation of Tree-SMU is smoother than that of Tree-LSTM."""
    sentences = [f"{what}: {changes(family[what])}." for what in dict.fromkeys(one.what for one in family)]
    for model in described_models(study) if sentences else ():
        if accuracies := study.under_conditions(model, partial(study.over_analyses, measure=_accuracy)):
            who = f"on these equations the predictions of {model_name(model)} are right for"
            sentences.append(f"Predictions that agree need not be right: {who} {shares(accuracies)}.")
    return tuple(sentences)


def _purity(analysis: Any) -> Any:
    return analysis["purity"]


def _agreement(analysis: Any) -> Any:
    return analysis["replaced"]["agreement"]


def _accuracy(analysis: Any) -> Any:
    return analysis["replaced"]["accuracy_before"]
