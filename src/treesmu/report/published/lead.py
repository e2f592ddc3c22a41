"""The lead of one model over another, paired by seed, with its confidence interval; and the order of the models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, stdev

from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_lead, paper_value
from ..runs import SeedGroup, find
from ..section import PRODUCTIVITY
from ..table import Column, Row, Table
from ..text.sentences import enumeration, points, quantity
from .tables import MEASURES, RANGES
from .tested import MEANS, WAYS, Depths, RightCounts, accuracy, as_published, chosen_test, groups_on, mean_of

ORDERED = ("lstm", "tree-rnn", "tree-lstm", "tree-smu")  # by productivity in the paper, the lowest first


@dataclass(frozen=True)
class Lead:
    """Differences of two models with the same seeds, one per seed."""

    differences: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.differences)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the mean by Student's t distribution; None for a single seed."""
        from scipy.special import stdtrit

        if (seeds := len(self.differences)) < 2:
            return None
        half = float(stdtrit(seeds - 1, 0.975)) * stdev(self.differences) / math.sqrt(seeds)
        return self.mean - half, self.mean + half

    @property
    def holds(self) -> bool:
        """Whether the interval is above 0."""
        return self.interval is not None and self.interval[0] > 0


def find_lead(study: StudyResults, corpus: str, test: str | None, depths: Depths) -> Lead | None:
    """Return the lead of the second model of the pair over the first on a test set; None if no seed has both."""
    groups = groups_on(study, corpus)
    old, new = (find(groups, model) for model in study.settings["pair"])
    if old is None or new is None or test is None:
        return None
    before, after = (_by_seed(study, group, test, depths) for group in (old, new))
    found = tuple(after[seed] - before[seed] for seed in sorted(before.keys() & after.keys()))
    return Lead(found) if found else None


def _by_seed(study: StudyResults, group: SeedGroup, test: str, depths: Depths) -> dict[int, float]:
    mean, found = MEANS[mean_of(study, test)], {}
    for run in group.runs:
        tested = RightCounts.of(study.analyses[run.name], test) if run.name in study.analyses else None
        if tested and (value := mean(tested, depths)) is not None:
            found[int(run.training["seed"])] = value
    return found


def leads(study: StudyResults) -> list[tuple[str, str, str, Lead]]:
    """Return the leads on data like the paper's: the corpus, the way of testing, the depths, the lead."""
    return [
        (corpus, way, name, lead)
        for corpus in as_published(study)
        for way in WAYS
        for name, depths in RANGES.items()
        if (lead := find_lead(study, corpus, chosen_test(study, way, corpus), depths))
    ]


def lead_table(study: StudyResults) -> Table:
    """Return the leads with their intervals, the paper's, and whether they hold."""
    old, new = study.settings["pair"]
    rows: list[Row] = []
    for corpus, way, name, lead in leads(study):
        paper = paper_lead("productivity", new, old, MEASURES[name])
        low, high = lead.interval or (None, None)
        holds = "one seed" if low is None else "yes" if lead.holds else "no"
        rows.append((corpus, WAYS[way], name, lead.mean, low, high, paper, len(lead.differences), holds))
    columns = (
        *(Column("corpus"), Column("tested"), Column("test depth"), Column.percent("lead, points")),
        *(Column.percent("95% from"), Column.percent("95% to"), Column.percent("paper")),
        *(Column("seeds"), Column("holds")),
    )
    caption = f"The lead of {model_name(new)} over {model_name(old)}"
    notes = (
        "Differences of models with the same seed; the interval is that of Student's t distribution. A lead holds if its "
        "interval is above 0.",
    )
    return Table("lead", caption, columns, tuple(rows), 3, False, notes)


# -- sentences -----------------------------------------------------------------------------------------------------------


def lead_sentences(study: StudyResults) -> list[str]:
    """Return for each corpus and way of testing whether the lead holds beyond the depths of training."""
    old, new = (model_name(model) for model in study.settings["pair"])
    sentences = []
    for corpus, way, name, lead in leads(study):
        if RANGES[name] != PRODUCTIVITY:
            continue
        if lead.interval is None:
            outcome = "may be due to chance (one seed)"
        else:
            low, high = map(points, lead.interval)
            why = "" if lead.holds else ", which is below 0" if lead.interval[1] < 0 else ", which includes 0"
            interval = f"95% interval {low} to {high}{why}, {quantity(len(lead.differences), 'seed')}"
            outcome = f"{'holds' if lead.holds else 'does not hold'} ({interval})"
        sentences.append(
            f"The lead of {new} over {old} at depth {name}, trained on {corpus}, tested {WAYS[way]}: "
            f"{points(lead.mean)} points; it {outcome}."
        )
    return sentences


def order_sentences(study: StudyResults) -> list[str]:
    """Return for each corpus and way of testing whether the models have the paper's order at depth 8-19."""
    sentences = []
    for corpus in as_published(study):
        for way, title in WAYS.items():
            test = chosen_test(study, way, corpus)
            groups = [group for model in ORDERED if (group := find(groups_on(study, corpus), model))]
            found = [(group.model, value.mean) for group in groups if (value := accuracy(study, group, test, PRODUCTIVITY))]
            known = [pair for pair in found if paper_value("productivity", pair[0], "productivity")]
            if len(known) < 3:
                continue
            order = " < ".join(model_name(model) for model, _ in known)
            swapped = [
                f"{model_name(high[0])} is not ahead of {model_name(low[0])}"
                for low, high in pairwise(known)
                if high[1] <= low[1]
            ]
            outcome = f"does not hold: {enumeration(swapped)}" if swapped else "holds"
            sentences.append(f"The paper's order {order} at depth 8-19, trained on {corpus}, tested {title}: {outcome}.")
    return sentences
