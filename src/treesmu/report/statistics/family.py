"""Families of comparisons: the differences that answer one question, tested together; and what may be claimed of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from treesmu.task_names import ACCURACY, Measure

from ..numbers import Spread
from ..table import Column, Row, Table, difference_columns, for_measure
from .difference import Difference
from .holm import holm

LEVEL = 0.05  # the probability of any false claim in one family
Compared = Iterable[tuple[object, Spread, Spread]]  # where, old, new


class Outcome(Enum):
    """What may be said about a difference."""

    HIGHER = "higher"
    LOWER = "lower"
    NOT_SHOWN = "not shown"
    ONE_SEED = "one seed"


@dataclass(frozen=True)
class Tested:
    """A difference of a family. what: is compared with what; where: under which condition; corrected: p by Holm's method;
    measure: what differs.
    """

    what: str
    where: str
    difference: Difference
    corrected: float | None
    measure: Measure = ACCURACY

    @property
    def outcome(self) -> Outcome:
        """Whether the difference may be claimed. Every sentence and title of a report that states one asks here."""
        if self.corrected is None:
            return Outcome.ONE_SEED
        if self.corrected > LEVEL:
            return Outcome.NOT_SHOWN
        return Outcome.HIGHER if self.difference.mean > 0 else Outcome.LOWER


class Family:
    """The comparisons of one question. compared: where, old and new, by what is compared; measures: if not accuracy."""

    def __init__(self, question: str, compared: Mapping[str, Compared], measures: Mapping[str, Measure] | None = None) -> None:
        self.question, measures = question, measures or {}
        every = [(what, str(where), Difference(old, new)) for what, some in compared.items() for where, old, new in some]
        tested = {place: p for place, (_, _, difference) in enumerate(every) if (p := difference.p) is not None}
        corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
        self._tested = [Tested(*one, corrected.get(place), measures.get(one[0], ACCURACY)) for place, one in enumerate(every)]

    def __iter__(self) -> Iterator[Tested]:
        return iter(self._tested)

    def __getitem__(self, what: str) -> list[Tested]:
        """Return the comparisons of this name, in the order of the conditions; empty if there are none."""
        return [one for one in self._tested if one.what == what]

    @property
    def tests(self) -> int:
        """The number of comparisons that were tested, for which the p-values are corrected."""
        return sum(one.corrected is not None for one in self._tested)


def count(tested: Iterable[Tested], outcome: Outcome) -> int:
    """Return how many differences have this outcome."""
    return sum(one.outcome is outcome for one in tested)


def differences_tables(families: Iterable[Family]) -> list[Table]:
    """Return every difference that the report states, with its interval and both p-values: a table for each measure."""
    every = [(family, one) for family in families for one in family]
    measures = dict.fromkeys(one.measure for _, one in every)
    return [_differences_table(measure, [pair for pair in every if pair[1].measure == measure]) for measure in measures]


def _differences_table(measure: Measure, every: list[tuple[Family, Tested]]) -> Table:
    rows: list[Row] = []
    for family, one in every:
        low, high = one.difference.interval or (None, None)
        numbers = one.difference.mean, low, high, len(one.difference.by_seed), one.difference.p, one.corrected
        rows.append((f"{family.question} (tests: {family.tests})", one.what, one.where, *numbers, one.outcome.value))
    columns = (
        *(Column("question"), Column("compared"), Column("where"), *difference_columns(measure), Column("pairs")),
        *(Column("p", 4), Column("p, corrected", 4), Column("significant")),
    )
    notes = (
        "Pairs: runs with the same seed. p: Student's t test of the paired differences, two-sided. Corrected: by Holm's "
        "method for the tests of the same question. Significant: corrected p of at most 0.05. One pair: not tested, and "
        "nothing is claimed.",
    )
    of = "" if measure.is_share else f" of {measure.name}"
    return Table(
        for_measure("differences", measure),
        f"Every difference{of} that this report states",
        columns,
        tuple(rows),
        3,
        True,
        notes,
    )
