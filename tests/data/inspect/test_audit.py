"""An audit finds every planted wrong label, and contradicts no label that is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corpora import write_corpus
from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect import audit as module
from treesmu.data.inspect.audit import audit, judge
from treesmu.engine import open_executor
from treesmu.expr import parse


@pytest.mark.parametrize(
    ("text", "label", "outcome"),
    [
        ("sin(x)^2 + cos(x)^2 = 1", 1, "agreed"),
        ("sin(x)^2 + cos(x)^2 = 1", 0, "contradicted"),
        ("sin(2x) = 2 sin(x)", 0, "agreed"),
        ("sin(2x) = 2 sin(x)", 1, "contradicted"),
        ("x^x*((x^x)^-1 + (x - 1) - (x - 1)) = 1", 1, "agreed"),
        ("((-1)^3 + 1)^x = 0", 1, "agreed"),
        ("(-(-1))^1 + -1 = 0^(1 + -1)", 0, "agreed"),
        ("sqrt(x^2) = x", 1, "contradicted"),
        ("tanh(exp(x)) = 1", 0, "agreed"),
        ("sin(2.5) = 0.6", 1, "agreed"),
        ("sin(2.5) = 0.6", 0, "contradicted"),
        ("sin(2.5) = 0.7", 1, "contradicted"),
        ("3^2 + 4^2 = 5^2", 0, "contradicted"),
        ("sqrt(-1 - x^2) = sqrt(-1 - x^2)", 1, "no answer"),
    ],
)
def test_labels_are_judged(text: str, label: int, outcome: str) -> None:
    assert judge(parse(text), label).outcome == outcome


def test_an_incorrect_equation_that_holds_on_half_of_the_line_is_remarked() -> None:
    assert any(judge(parse("sqrt(x^2) = x"), 0, seed).partly for seed in range(8))
    assert not judge(parse("sin(2x) = 2 sin(x)"), 0).partly


def test_an_undefined_constant_is_remarked() -> None:
    finding = judge(parse("x + csc(pi) = csc(pi) + x"), 1)
    assert (finding.outcome, finding.reason) == ("no answer", "but csc(pi) has no real value")


def test_a_disagreement_of_the_witnesses_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ask_sympy", lambda *_: "different")
    finding = judge(parse("x + y = y + x"), 1)
    assert (finding.outcome, finding.sympy) == ("contradicted", "contradicted")
    assert "SymPy finds the sides different" in finding.reason


def test_a_right_corpus_passes(tmp_path: Path) -> None:
    steps: list[int] = []
    report = audit(Dataset.read(write_corpus(tmp_path)), rows=100, seconds=60, progress=steps.append)
    assert report.contradictions == []
    assert (report.rows, report.agreed, report.sympy_agreed, sum(steps)) == (8, 8, 8, 8)


def test_a_planted_wrong_label_is_found_with_its_row_and_a_point(tmp_path: Path) -> None:
    rows = [("x + y = y + x", 1, "rewrite"), ("sin(2x) = 2 sin(x)", 1, "rewrite"), ("x*x = x^2", 0, "near-miss")]
    data = Dataset.read(write_corpus(tmp_path, rows), split="all").select(labels=(0, 1))
    report = audit(data, rows=100)
    assert [c.where.partition(", ")[2] for c in report.contradictions[:2]] == ["train row 1", "train row 2"]
    assert len(report.contradictions) == 6
    assert " at x = " in report.contradictions[0].reason
    assert "sin(2*x) = 2*sin(x)" in report.text()


def test_a_point_of_several_variables_is_one_list(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path, [("x - y = y - x", 1, "rewrite")] * 3), split="all")
    reason = audit(data, rows=100).contradictions[0].reason
    assert re.search(r" at x = [-.\d]+, y = [-.\d]+$", reason), reason


@pytest.mark.parametrize(
    ("column", "place", "reason"),
    [
        ("depth", 0, "but the stored depth is 9; that of the tree is 2"),
        ("size", 4, "but the stored size is 9; that of the tree is 11"),
    ],
)
def test_a_wrong_depth_or_size_is_a_contradiction(column: str, place: int, reason: str, tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path))
    changed = getattr(data, column).copy()
    changed[place] = 9
    report = audit(replace(data, **{column: changed}), rows=100, seconds=60)
    assert [(c.where, c.label, c.reason) for c in report.contradictions] == [(data.where(place), 1, reason)]
    assert (report.rows, report.agreed, report.sympy_agreed, report.holds) == (8, 7, 7, False)
    assert reason in report.text()


def test_a_wrong_depth_does_not_hide_a_wrong_label() -> None:
    data = Dataset.of([parse("sin(2x) = 2 sin(x)")], [1])
    (remark,) = audit(replace(data, depth=data.depth + 1), rows=1).contradictions
    assert remark.reason.startswith("but left ")
    assert remark.reason.endswith(f"but the stored depth is {data.depth[0] + 1}; that of the tree is {data.depth[0]}")


def test_any_number_of_processes_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 3)
    data = Dataset.read(write_corpus(tmp_path), split="all")
    with open_executor("local", 2) as executor:
        assert audit(data, rows=20, run=executor.in_order, seconds=60) == audit(data, rows=20, seconds=60)


def test_who_stops_an_audit_leaves_no_task_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 1)
    events: list[str] = []

    def run(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        try:
            for arguments in tasks:
                events.append("task")
                yield function(*arguments)
        finally:
            events.append("closed")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        audit(Dataset.read(write_corpus(tmp_path)), rows=100, run=run, progress=interrupt)
    assert (events, caught.type) == (["task", "closed"], KeyboardInterrupt)  # `caught` keeps the frames: only a close ends it
