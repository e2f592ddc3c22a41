"""Substitutivity: maps of states, purity of neighbourhoods, and predictions before and after a substitution."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..figures.figure import Figure, Scatter
from ..figures.palette import model_name
from ..folder import StudyResults
from ..runs import SeedGroup, is_too_small_for_trends
from ..section import Section, described_models
from ..table import Column, Columns, Table, groups_table
from ..text.effects import cell_comparisons
from ..text.sentences import changes, seeds_note, shares

MARKED = ("0", "1")  # as in the paper


def section(study: StudyResults) -> Section:
    return Section(study, (_maps(study), _table(study)), _conclusions(study))


def _maps(study: StudyResults) -> Figure:
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
    return Figure("substitutivity", _title(study), note, tuple(panels), most_columns=3)


def _map(group: SeedGroup, analysis: dict[str, Any]) -> Scatter:
    expressions = analysis["expressions"]
    return Scatter(
        title=f"{model_name(group.model)}: {group.condition}",
        x=tuple(float(e["place"][0]) for e in expressions),
        y=tuple(float(e["place"][1]) for e in expressions),
        kind=tuple(analysis["classes"][e["class"]] for e in expressions),
        marked=MARKED,
    )


def _title(study: StudyResults) -> str:
    found = [(value.mean, group) for group in study.groups if (value := study.over_analyses(group, _purity))]
    if not found or is_too_small_for_trends(study.groups):
        return "States of expressions, coloured by value"
    worst, best = min(found, key=lambda pair: pair[0]), max(found, key=lambda pair: pair[0])
    texts = [f"{100 * mean:.0f}% ({model_name(group.model)}, {group.condition})" for mean, group in (worst, best)]
    return f"Neighbours of equal value: from {texts[0]} to {texts[1]}"


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


def _conclusions(study: StudyResults) -> tuple[str, ...]:
    """Return sentences on the paper's claim: the representation of Tree-SMU is smoother than that of Tree-LSTM."""
    sentences = []
    for old, new in cell_comparisons(study.models):
        for name, of_analysis in (("purity of neighbourhoods", _purity), ("agreement after a substitution", _agreement)):
            pairs = study.pairs((old, None), (new, None), partial(study.over_analyses, measure=of_analysis))
            if pairs and old != "tree-rnn":
                sentences.append(f"{model_name(new)} compared with {model_name(old)}, {name}: {changes(pairs)}.")
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
