"""Audit: re-check the labels of a sample of rows at fresh random points with two witnesses, mpmath and SymPy.

A label is contradicted if it is "correct" and the sides clearly differ at a point, if it is "incorrect" and the sides are equal
wherever they have values, or if the two witnesses disagree. The numeric check that made the labels is not used.
A stored depth or size that is not that of the tree is also a contradiction, and so is a file that differs from its manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple

import numpy as np

from treesmu.expr import Expr, from_prefix

from ..corpus.dataset import Dataset
from .mpmath_witness import ask_mpmath, compute_values, stays_equal, undefined_part
from .sympy_witness import ask_sympy
from .witness import DIGITS

RANGES = ((-1, 1), (0, 1), (1, 3), (-3, -1), (-6, 6), (0, 12), (-30, 30), (0, 0.2), (-150, 150))
TRIES = 45  # points at most; at many of them a side may have no value
ENOUGH = 8  # points with a verdict after which the search for more ends
FEW = 3  # points with a verdict that a row needs at least
CHUNK = 40  # rows per task

# Runs a function on tuples of arguments and yields the results in order, as an Executor of treesmu.engine does.
RunTasks = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]


class Finding(NamedTuple):
    """What the witnesses say about one row."""

    outcome: Literal["agreed", "contradicted", "no answer"]
    sympy: Literal["agreed", "contradicted", "no answer"] = "no answer"
    partly: bool = False  # whether an incorrect equation has equal sides at several points
    reason: str = ""


@dataclass(frozen=True)
class Remark:
    """A row with a wrong label, depth or size, or with a part that has no value."""

    where: str
    label: int
    equation: str
    reason: str


@dataclass
class AuditReport:
    """The result of an audit."""

    rows: int = 0
    agreed: int = 0
    no_answer: int = 0
    sympy_agreed: int = 0
    partly_equal: int = 0
    undefined: list[Remark] = field(default_factory=list)  # rows with a constant part that has no value: no label is right
    contradictions: list[Remark] = field(default_factory=list)
    files: list[str] = field(default_factory=list)  # one line for each wrong file of a corpus folder

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the corpus."""
        return not (self.contradictions or self.files)

    def text(self) -> str:
        """Return the wrong files and rows, and a line of counts."""
        remarks = [*self.undefined, *self.contradictions]
        counts = (
            f"{self.rows:,} rows: {self.agreed:,} agree with their label (SymPy confirms {self.sympy_agreed:,}), "
            f"{self.no_answer:,} without an answer "
            f"({len(self.undefined):,} have an undefined constant), {self.partly_equal:,} incorrect but equal at some points, "
            f"{(n := len(self.contradictions)):,} contradiction{'s' * (n != 1)}"
        )
        return "\n".join([*self.files, *(f"{r.where}: label {r.label}, {r.reason}\n  {r.equation}" for r in remarks), counts])


def in_process(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
    """Run one task after the other in this process."""
    for arguments in tasks:
        yield function(*arguments)


def audit(
    data: Dataset,
    rows: int,
    seed: int = 0,
    run: RunTasks = in_process,
    seconds: float = 1.0,
    progress: Callable[[int], None] = lambda _: None,
) -> AuditReport:
    """Re-check a sample of rows. The points depend only on the seed and the equation.

    run: how tasks are run; seconds: the computing time of SymPy for one row; progress: called with the number of rows done.
    """
    data = data.select(labels=(0, 1)).sample(rows, np.random.default_rng(seed))
    report = AuditReport()
    tasks = ((part, seed, seconds) for part in _parts(data))
    with closing(run(_judge_rows, tasks)) as results:  # after an error, no task is left running
        for place, finding in enumerate(finding for findings in results for finding in findings):
            report.rows += 1
            report.agreed += finding.outcome == "agreed"
            report.no_answer += finding.outcome == "no answer"
            report.sympy_agreed += finding.outcome == finding.sympy == "agreed"
            report.partly_equal += finding.partly
            if finding.reason:
                equation = str(from_prefix(data.prefix[place].as_py().split()))
                remarks = report.contradictions if finding.outcome == "contradicted" else report.undefined
                remarks.append(Remark(data.where(place), int(data.label[place]), equation, finding.reason))
            progress(1)
    return report


Row = tuple[Expr, int, int, int]  # equation, label, depth, size


def _parts(data: Dataset) -> Iterator[list[Row]]:
    """Yield the rows of one task after the other."""
    for start in range(0, len(data), CHUNK):
        part = data.take(np.arange(start, min(start + CHUNK, len(data))))
        columns = (part.label.tolist(), part.depth.tolist(), part.size.tolist())
        yield list(zip(part.expressions(), *columns, strict=True))


def _judge_rows(rows: list[Row], seed: int, seconds: float) -> list[Finding]:
    return [_check_measures(e, depth, size, judge(e, label, seed, seconds)) for e, label, depth, size in rows]


def _check_measures(e: Expr, depth: int, size: int, finding: Finding) -> Finding:
    """Return the finding, as a contradiction if the stored depth or size is not that of the tree."""
    both = (("depth", depth, e.depth), ("size", size, e.size))
    wrong = [f"but the stored {name} is {stored}; that of the tree is {true}" for name, stored, true in both if stored != true]
    if not wrong:
        return finding
    return finding._replace(outcome="contradicted", reason=", ".join(filter(None, [finding.reason, *wrong])))


# -- one row -----------------------------------------------------------------------------------------------------------


def judge(e: Expr, label: int, seed: int = 0, seconds: float = 1.0) -> Finding:
    """Return what the witnesses say about the label of an equation."""
    equal: list[dict[str, Fraction]] = []
    different: list[dict[str, Fraction]] = []
    for point in _points(e, seed):
        answer = ask_mpmath(e, point)
        if answer == "different" and not (label and stays_equal(e, point)):  # x^x*(x^(-x) + 1 - 1) at 150 needs 330 digits
            different.append(point)
        elif answer == "equal" and (label or stays_equal(e, point)):
            equal.append(point)
        if (label and different) or len(equal) + len(different) >= (ENOUGH if label or not different else FEW):
            break
    if label and different:
        return Finding("contradicted", reason=f"but {_at(e, different[0])}")
    if len(equal) + len(different) < (1 if e.is_constant else FEW):
        part = undefined_part(e)
        return Finding("no answer", reason=f"but {part} has no real value" if part else "")
    if not label and not different:
        number = "" if e.is_constant else f" at {len(equal)} points"
        return Finding("contradicted", reason=f"but the sides are equal{number}: {_at(e, equal[0])}")
    return _ask_sympy_too(e, equal[0] if label else different[0], label, seconds)._replace(partly=not label and len(equal) > 1)


def _ask_sympy_too(e: Expr, point: dict[str, Fraction], label: int, seconds: float) -> Finding:
    """Return the finding for an equation for which mpmath agrees with the label."""
    answer = ask_sympy(e, point, seconds)
    if not answer:
        return Finding("agreed")
    if (answer == "equal") == bool(label):
        return Finding("agreed", "agreed")
    return Finding(
        "contradicted", "contradicted", reason=f"and mpmath agrees, but SymPy finds the sides {answer}: {_at(e, point)}"
    )


def _points(e: Expr, seed: int) -> Iterator[dict[str, Fraction]]:
    """Yield points: alternately all variables in one range and each in its own range. A constant has one point."""
    rng = Random(f"{seed} {' '.join(e.prefix())}")
    names = [v.token for v in e.variables()]
    for k in range(TRIES if names else 1):
        together = RANGES[k // 2 % len(RANGES)]
        ranges = [together if k % 2 else rng.choice(RANGES) for _ in names]
        yield {name: Fraction(f"{rng.uniform(*r):.6f}") for name, r in zip(names, ranges, strict=True)}


def _at(e: Expr, point: dict[str, Fraction]) -> str:
    """Return the values of the sides at a point, for a message."""
    found: Any = compute_values(e.children, point, (DIGITS,))
    place = ", ".join(f"{name} = {float(value):g}" for name, value in point.items())
    return f"left {float(found[0][0]):.15g}, right {float(found[0][1]):.15g}{f' at {place}' if place else ''}"
