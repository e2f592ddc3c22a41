"""Cells with a stack beside those without: their differences on each corpus, in tables and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treesmu.task_names import Measure

from ..figures.palette import model_name
from ..numbers import Spread
from ..runs import SeedGroup, find
from ..statistics.family import Family, Outcome, Tested, count
from ..table import Column, Row, Table, difference_columns, for_measure
from ..text.claims import changes
from ..text.effects import compare
from ..text.sentences import points, quantity
from .results import TreeResults

WITH_STACK = (("tree-lstm", "tree-smu"), ("tree-rnn", "stack-tree-rnn"))  # without a stack, with one
THE_STACK = {
    Outcome.HIGHER: "helps",
    Outcome.LOWER: "hurts",
    Outcome.NOT_SHOWN: "no difference shown",
    Outcome.ONE_SEED: "one seed",
}


@dataclass(frozen=True)
class Comparison:
    """A cell with a stack beside one without, on the trained depths of a corpus or on deeper trees."""

    results: TreeResults
    old: SeedGroup
    new: SeedGroup
    is_deeper: bool

    @property
    def name(self) -> str:
        where = "trees deeper than those of training" if self.is_deeper else "trees of the depths of training"
        return f"On {self.results.corpus}, on {where}, {compare(self.old.model, self.new.model)}"

    @property
    def scores(self) -> tuple[Spread | None, Spread | None]:
        """The measure without and with a stack."""
        depths = self.results.deeper if self.is_deeper else self.results.trained
        return self.old.score(*depths), self.new.score(*depths)

    @property
    def pairs(self) -> list[tuple[str, Spread, Spread]]:
        """Both measures, to be tested; empty if there are none."""
        old, new = self.scores
        return [("", old, new)] if old and new else []

    def row(self, family: Family) -> Row:
        """Return the row of a table."""
        names = self.results.corpus, f"{model_name(self.new.model)} − {model_name(self.old.model)}"
        row = *names, "deeper" if self.is_deeper else "trained", *self.scores
        if not (tested := family[self.name]):
            return *row, None, None, None, 0, None
        difference = tested[0].difference
        low, high = difference.interval or (None, None)
        return *row, difference.mean, low, high, len(difference.by_seed), THE_STACK[tested[0].outcome]


def comparisons(results: TreeResults, is_deeper: bool) -> Iterator[Comparison]:
    """Yield the cells with a stack beside those without, on deeper trees, if there are any, or on the depths of training."""
    for old, new in WITH_STACK:
        without, with_stack = find(results.groups, old), find(results.groups, new)
        if without and with_stack and (results.has_deeper or not is_deeper):
            yield Comparison(results, without, with_stack, is_deeper)


def stack_family(every: list[TreeResults], is_deeper: bool) -> Family:
    """Return the comparisons on all corpora, which are tested together."""
    question = f"where a stack helps, {'deeper trees' if is_deeper else 'depths of training'}"
    found = [one for results in every for one in comparisons(results, is_deeper)]
    return Family(question, {one.name: one.pairs for one in found}, {one.name: one.results.measure for one in found})


def stack_table(measure: Measure, every: list[TreeResults], deeper: Family, trained: Family) -> Table:
    """Return the differences of the corpora with this measure."""
    columns = (
        *(Column("task"), Column("with − without a stack"), Column("test depth")),
        *(Column.of(measure, measure.column(which)) for which in ("without", "with")),
        *(*difference_columns(measure), Column("pairs of seeds"), Column("the stack")),
    )
    families = {False: trained, True: deeper}
    some = [results for results in every if results.measure == measure]
    found = [one for results in some for is_deeper in (False, True) for one in comparisons(results, is_deeper)]
    places = {results.corpus: place for place, results in enumerate(some)}
    found.sort(key=lambda one: (places[one.results.corpus], WITH_STACK.index((one.old.model, one.new.model))))
    notes = (
        "Differences of models with the same seed, their mean, and its 95% interval by Student's t distribution. The stack "
        "helps or hurts if the difference is significant at 5% after Holm's correction for "
        f"{quantity(deeper.tests, 'test')} on deeper trees and {quantity(trained.tests, 'test')} on the depths of training; "
        "otherwise no difference is shown, though there may be one.",
    )
    shown = notes if deeper.tests or trained.tests else ("One seed, therefore no intervals: differences may be due to chance.",)
    rows = tuple(one.row(families[one.is_deeper]) for one in found)
    name, caption = for_measure("elsewhere-stack", measure), "Where the stack helps and where it does not"
    return Table(name, caption, columns, rows, 2, notes=shown)


def conclusions(every: list[TreeResults], deeper: Family, trained: Family) -> Iterator[str]:
    """Yield how often the stack helps, and each difference: on deeper trees, and where there are none on the trained depths."""
    shallow = {one.name for results in every if not results.has_deeper for one in comparisons(results, is_deeper=False)}
    for where, tested in (
        ("On trees deeper than those of training", list(deeper)),
        ("On new trees of the depths of training", [one for one in trained if one.what in shallow]),
    ):
        known = [one for one in tested if one.outcome is not Outcome.ONE_SEED]
        if known:
            yield (
                f"{where}, the stack helps in {count(known, Outcome.HIGHER)} of {quantity(len(known), 'comparison')}, hurts in "
                f"{count(known, Outcome.LOWER)}, and no difference is shown in {count(known, Outcome.NOT_SHOWN)}."
            )
        yield from (f"{one.what}: {changes([one])}." for one in tested)


def stack_in_title(results: TreeResults, deeper: Family) -> str:
    """Return what a stack adds on deeper trees, for the title of a figure; empty if nothing was tested."""
    one = next(comparisons(results, is_deeper=True), None)
    tested: list[Tested] = [] if one is None else deeper[one.name]
    if one is None or not tested or tested[0].outcome is Outcome.ONE_SEED:
        return ""
    old, new = model_name(one.old.model), model_name(one.new.model)
    if tested[0].outcome is Outcome.NOT_SHOWN:
        return f"; beyond training, no difference between {new} and {old} is shown"
    side = "above" if tested[0].outcome is Outcome.HIGHER else "below"
    size = points(abs(tested[0].difference.mean), results.measure).removeprefix("+")
    unit = "points" if results.measure.is_share else f"of {results.measure.name}"
    return f"; beyond training, {new} is {size} {unit} {side} {old}"
