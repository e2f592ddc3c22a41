"""The lead of one model over another, paired by seed, with its confidence interval; and the order of the models."""

from __future__ import annotations

from itertools import pairwise

from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import paper_lead, paper_value
from ..runs import find
from ..section import PRODUCTIVITY
from ..statistics.family import Family, Outcome, Tested
from ..table import Column, Row, Table
from ..text.claims import MAY_BE_CHANCE, interval
from ..text.effects import compare
from ..text.sentences import enumeration, points, quantity
from .tables import MEASURES, RANGES
from .tested import WAYS, Depths, accuracy, as_published, chosen_test, groups_on

ORDERED = ("lstm", "tree-rnn", "tree-lstm", "tree-smu")  # by productivity in the paper, the lowest first
Case = tuple[str, str, str]  # the corpus, the way of testing, the depths


def find_lead(study: StudyResults, corpus: str, test: str | None, depths: Depths) -> tuple[Spread, Spread] | None:
    """Return the accuracies of the first and the second model of the pair on a test set; None if one is missing."""
    groups = [find(groups_on(study, corpus), model) for model in study.settings["pair"]]
    old, new = (accuracy(study, group, test, depths) if group else None for group in groups)
    return (old, new) if old and new else None


def lead_family(study: StudyResults) -> Family:
    """Return the leads on data like the paper's, under every corpus, way of testing and range of depths."""
    compared = {
        _name((corpus, way, name)): [(f"trained on {corpus}", *both)]
        for corpus in as_published(study)
        for way in WAYS
        for name, depths in RANGES.items()
        if (both := find_lead(study, corpus, chosen_test(study, way, corpus), depths))
    }
    return Family(f"lead of {model_name(study.settings['pair'][1])}", compared)


def _name(case: Case) -> str:
    corpus, way, depths = case
    return f"depth {depths}, trained on {corpus}, tested {WAYS[way]}"


def leads(study: StudyResults, family: Family) -> list[tuple[Case, Tested]]:
    """Return the leads of a family with what they are about."""
    cases = [(corpus, way, depths) for corpus in as_published(study) for way in WAYS for depths in RANGES]
    return [(case, lead) for case in cases for lead in family[_name(case)]]


def lead_table(study: StudyResults, family: Family) -> Table:
    """Return the leads with their intervals, the paper's, and whether they hold."""
    old, new = study.settings["pair"]
    rows: list[Row] = []
    for (corpus, way, name), lead in leads(study, family):
        paper = paper_lead("productivity", new, old, MEASURES[name])
        low, high = lead.difference.interval or (None, None)
        holds = {Outcome.HIGHER: "yes", Outcome.ONE_SEED: "one seed"}.get(lead.outcome, "no")
        numbers = lead.difference.mean, low, high, paper, len(lead.difference.by_seed), lead.difference.p, lead.corrected
        rows.append((corpus, WAYS[way], name, *numbers, holds))
    columns = (
        *(Column("corpus"), Column("tested"), Column("test depth"), Column.percent("lead, points")),
        *(Column.percent("95% from"), Column.percent("95% to"), Column.percent("paper")),
        *(Column("seeds"), Column("p", 4), Column("p, corrected", 4), Column("holds")),
    )
    caption = f"The lead of {model_name(new)} over {model_name(old)}"
    notes = (
        "Differences of models with the same seed; interval and p are those of Student's t distribution. A lead holds if it is "
        f"above 0 and its p, corrected by Holm's method for {quantity(family.tests, 'test')}, is at most 0.05.",
    )
    return Table("lead", caption, columns, tuple(rows), 3, False, notes)


# -- sentences -----------------------------------------------------------------------------------------------------------


def lead_sentences(study: StudyResults, family: Family) -> list[str]:
    """Return for each corpus and way of testing whether the lead holds beyond the depths of training."""
    old, new = (model_name(model) for model in study.settings["pair"])
    sentences = []
    for (corpus, way, name), lead in leads(study, family):
        if RANGES[name] == PRODUCTIVITY:
            sentences.append(
                f"The lead of {new} over {old} at depth {name}, trained on {corpus}, tested {WAYS[way]}: "
                f"{points(lead.difference.mean)} points; {_outcome(lead)}."
            )
    return sentences


def _outcome(lead: Tested) -> str:
    if lead.corrected is None:
        return MAY_BE_CHANCE
    p = f"p {lead.corrected:.3f}" if lead.corrected >= 0.001 else "p below 0.001"
    why = f"{interval(lead)}, {p} after correction, {quantity(len(lead.difference.by_seed), 'seed')}"
    said = {Outcome.HIGHER: "it holds", Outcome.LOWER: "it is significantly below 0", Outcome.NOT_SHOWN: "it is not shown"}
    return f"{said[lead.outcome]} ({why})"


def order_family(study: StudyResults) -> Family:
    """Return the comparisons of models that follow each other in the paper's order, at depth 8-19."""
    compared = {}
    for corpus in as_published(study):
        for way in WAYS:
            for (low, before), (high, after) in pairwise(_ordered(study, corpus, way)):
                compared[_of_pair(low, high, corpus, way)] = [(f"trained on {corpus}", before, after)]
    return Family("the paper's order", compared)


def _of_pair(low: str, high: str, corpus: str, way: str) -> str:
    return f"{compare(low, high)}, {_name((corpus, way, '8-19'))}"


def _ordered(study: StudyResults, corpus: str, way: str) -> list[tuple[str, Spread]]:
    """Return the models of the paper's order with their accuracies; empty if there are fewer than three."""
    test = chosen_test(study, way, corpus)
    groups = [group for model in ORDERED if (group := find(groups_on(study, corpus), model))]
    found = [(group.model, value) for group in groups if (value := accuracy(study, group, test, PRODUCTIVITY))]
    known = [pair for pair in found if paper_value("productivity", pair[0], "productivity")]
    return known if len(known) > 2 else []


def order_sentences(study: StudyResults, family: Family) -> list[str]:
    """Return for each corpus and way of testing whether the models have the paper's order at depth 8-19."""
    sentences = []
    for corpus in as_published(study):
        for way, title in WAYS.items():
            models = [model for model, _ in _ordered(study, corpus, way)]
            tested = [
                (model_name(low), model_name(high), one.outcome)
                for low, high in pairwise(models)
                for one in family[_of_pair(low, high, corpus, way)]
            ]
            if tested:
                order = " < ".join(map(model_name, models))
                where = f"at depth 8-19, trained on {corpus}, tested {title}"
                sentences.append(f"The paper's order {order} {where}: {_verdict(tested)}.")
    return sentences


def _verdict(tested: list[tuple[str, str, Outcome]]) -> str:
    """Return whether every model is significantly ahead of the one before; what is not, and what is the other way round."""
    if all(outcome is Outcome.ONE_SEED for *_, outcome in tested):
        return MAY_BE_CHANCE
    behind = [f"{high} is behind {low}" for low, high, outcome in tested if outcome is Outcome.LOWER]
    open_ = [f"{high} ahead of {low}" for low, high, outcome in tested if outcome in (Outcome.NOT_SHOWN, Outcome.ONE_SEED)]
    found = {"does not hold": behind, "not shown": open_}
    return "; ".join(f"{said}: {enumeration(some)}" for said, some in found.items() if some) or "holds"
