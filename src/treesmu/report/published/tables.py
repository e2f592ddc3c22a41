"""Tables of data as published: the paper's table beside ours, transfer between corpora, seen sides, gold equations."""

from __future__ import annotations

from functools import partial

from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_value
from ..runs import SeedGroup
from ..section import PRODUCTIVITY, SYSTEMATICITY
from ..table import Cell, Column, Compared, Row, Table
from ..text.sentences import quantity, seeds_note
from .tested import (
    FEW,
    SIDES,
    WAYS,
    Depths,
    RightCounts,
    accuracy,
    as_published,
    chosen_test,
    gold_test,
    groups_on,
    mean_of,
    over_seeds,
)

RANGES: dict[str, Depths] = {"1-7": SYSTEMATICITY, "8-19": PRODUCTIVITY}
MEASURES = {"1-7": "systematicity", "8-19": "productivity"}  # what the paper calls accuracy there
ANY_DEPTH = (0, 10**6)
FEW_NOTE = f"Means over depths leave out depths with fewer than {FEW} equations that are not in the training set."


def paper_table(study: StudyResults) -> Table:
    """Return the paper's table: all models on data like the paper's, tested in both ways, with both means."""
    columns = [Column("corpus"), Column("model")]
    kinds = [(way, mean, depths) for way in WAYS for mean in ("equations", "depths") for depths in RANGES]
    columns += [
        Column.percent(f"{WAYS[way].partition('the ')[2]}, {depths}, over {mean} %", has_best=True)
        for way, mean, depths in kinds
    ]
    rows: list[Row] = []
    for corpus in as_published(study):
        for group in groups_on(study, corpus):
            cells = [_beside_paper(study, group, *kind) for kind in kinds]
            rows.append((corpus, model_name(group.model), *cells, group.seeds))
    notes = (
        "The same way: test equations made as those of training. The paper's protocol: made with other settings of the "
        "generator; the paper's numbers are beside its mean over depths.",
        seeds_note(study.groups),
        FEW_NOTE,
        *(f"Without the corpus {name}: {reason}." for name, reason in study.missing_corpora.items()),
    )
    caption = "The paper's table on data like the paper's: accuracy, trained on depth 1-7"
    return Table("published", caption, (*columns, Column("seeds")), tuple(rows), 2, True, notes)


def _beside_paper(study: StudyResults, group: SeedGroup, way: str, mean: str, depths: str) -> Cell:
    ours = accuracy(study, group, chosen_test(study, way, group.condition.corpus), RANGES[depths], mean)
    paper = paper_value("productivity", group.model, MEASURES[depths])
    return Compared(ours, paper) if ours and paper and (way, mean) == ("protocol", "depths") else ours


def transfer_table(study: StudyResults) -> Table:
    """Return the accuracy of every model on every test set: the training corpus is the row, the test set the column."""
    tests = [test for test in study.settings["tests"] if test != gold_test(study)]
    corpora = [corpus for corpus in study.settings["corpora"] if groups_on(study, corpus)]
    rows: list[Row] = []
    for model in [model for model in study.models if model != "majority"]:
        for name, depths in RANGES.items():
            for group in [one for corpus in corpora for one in groups_on(study, corpus) if one.model == model]:
                cells = [accuracy(study, group, test, depths) for test in tests]
                rows.append((model_name(model), name, group.condition.corpus, *cells))
    keys = (Column("model"), Column("test depth"), Column("trained on"))
    columns = [Column.percent(f"{test} %", has_best=True) for test in tests]
    natural = [test for test in tests if mean_of(study, test) == "equations"]
    means = f"The mean is over depths; for {' and '.join(natural)} over equations." if natural else "The mean is over depths."
    notes = ("Equations that are in the training set are left out of the test.", means, seeds_note(study.groups), FEW_NOTE)
    caption = "Transfer: trained on one corpus, tested on each"
    return Table("transfer", caption, (*keys, *columns), tuple(rows), 3, True, notes)


def sides_table(study: StudyResults) -> Table:
    """Return the accuracy on equations of which no side, one side or both sides are in the training set."""
    rows: list[Row] = []
    for corpus in as_published(study):
        for way, title in WAYS.items():
            test = chosen_test(study, way, corpus)
            for group in [one for one in groups_on(study, corpus) if one.model in study.settings["pair"]]:
                for name, depths in RANGES.items():
                    cells = [cell for sides in SIDES for cell in _sides_cells(study, group, test, depths, sides)]
                    rows.append((corpus, title, model_name(group.model), name, *cells))
    columns = [Column("trained on"), Column("tested"), Column("model"), Column("test depth")]
    for sides in SIDES:
        name = quantity(sides, "side") if sides else "no side"
        columns += [Column.percent(f"{name}: of the equations %"), Column.percent(f"{name}: accuracy %")]
    paper = [f"{model_name(model)} {value}" for model in study.settings["pair"] if (value := _paper_systematicity(model))]
    notes = (
        "Sides that are sides of training equations, written in the same way; all drawn equations of these depths together.",
        f"The paper has at depth 1-7: {', '.join(paper)}." if paper else "",
    )
    caption = "Accuracy by the number of sides that occur in the training set"
    return Table("seen-sides", caption, tuple(columns), tuple(rows), 4, True, tuple(note for note in notes if note))


def _sides_cells(study: StudyResults, group: SeedGroup, test: str | None, depths: Depths, sides: int) -> tuple[Cell, Cell]:
    """Return the share of such equations, which is the same for all seeds, and the accuracy on them."""
    share = over_seeds(study, group, test, partial(_share_of_equations, depths=depths, sides=sides))
    return share and share.mean, over_seeds(study, group, test, partial(_share_right, depths=depths, sides=sides))


def _paper_systematicity(model: str) -> str:
    found = paper_value("productivity", model, "systematicity")
    return "" if found is None else str(found)


def _share_of_equations(tested: RightCounts, depths: Depths, sides: int) -> float | None:
    every = tested.count(depths)[0]
    return tested.count(depths, (sides,))[0] / every if every else None


def _share_right(tested: RightCounts, depths: Depths, sides: int) -> float | None:
    return tested.share(depths, (sides,))


def recall(tested: RightCounts) -> float | None:
    """Return the share of the gold equations that a model calls correct."""
    return tested.share(ANY_DEPTH, labels=(1,))


def rejected(tested: RightCounts) -> float | None:
    """Return the share of the equations with wrong answers that a model calls incorrect."""
    return tested.share(ANY_DEPTH, labels=(0,))


def trained_on(study: StudyResults) -> dict[str, list[SeedGroup]]:
    """Return the groups by what they were trained on: the corpora of the study, and of some all depths."""
    found = {}
    for corpus in study.settings["corpora"]:
        found[corpus] = groups_on(study, corpus)
        found[f"{corpus}, all depths"] = groups_on(study, corpus, of_all_depths=True)
    return {name: groups for name, groups in found.items() if groups}


def gold_table(study: StudyResults, test: str) -> Table:
    """Return how many gold equations every model calls correct, and how many with wrong answers it calls incorrect."""
    rows: list[Row] = []
    for name, groups in trained_on(study).items():
        for group in [group for group in groups if group.model != "majority"]:
            cells = [over_seeds(study, group, test, measure) for measure in (recall, rejected)]
            rows.append((name, model_name(group.model), *cells, group.seeds))
    columns = (
        Column("trained on"),
        Column("model"),
        Column.percent("gold called correct %", has_best=True),
        Column.percent("wrong answers called incorrect %", has_best=True),
        Column("seeds"),
    )
    found = [tested for analysis in study.analyses.values() if (tested := RightCounts.of(analysis, test))]
    gold, wrong = (max((tested.count(ANY_DEPTH, labels=(label,))[0] for tested in found), default=0) for label in (1, 0))
    notes = (
        f"{gold:,} equations of the authors' blanks with their answers, which the numeric check confirms, and {wrong:,} with "
        "the answer to another blank that makes them incorrect. Models with fewer test equations per depth have a sample.",
        seeds_note(study.groups),
    )
    return Table("gold", "The authors' equations with their answers and with wrong ones", columns, tuple(rows), 2, False, notes)
