"""Remarks on equations that a model cannot read and on symbols without trained weights: one line, or none."""

from __future__ import annotations

import pytest

from treesmu.cli.terminal.untrained import say_unreadable, untrained_facts, untrained_symbols, warn_of_untrained


@pytest.mark.parametrize(
    ("found", "warning"),
    [
        (None, ""),
        ([(), ()], ""),
        ([], ""),
        (
            [("log",), ()],
            "treesmu: warning: log does not occur in the training equations of the model: it reads 1 equation with "
            "untrained weights\n",
        ),
        (
            [("log", "sec"), ("sec",)],
            "treesmu: warning: log, sec do not occur in the training equations of the model: it reads 2 equations with "
            "untrained weights\n",
        ),
        (
            [tuple(str(n) for n in range(11))],
            "treesmu: warning: 0, 1, 2, 3, 4, 5, 6, 7 and 3 more do not occur in the training equations of the model: it reads "
            "1 equation with untrained weights\n",
        ),
    ],
)
def test_the_warning_names_the_symbols_once_and_counts_the_equations(
    found: list[tuple[str, ...]] | None, warning: str, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_of_untrained(found, "equation")
    assert capsys.readouterr().err == warning


def test_programs_can_tell_what_is_not_known_from_nothing() -> None:
    assert untrained_symbols(None) is None
    assert untrained_symbols([(), ()]) == []
    assert untrained_symbols([("log",), ("sec", "log")]) == ["log", "sec"]
    assert untrained_facts(blanks=None, candidates=None) is None
    found = untrained_facts(blanks=[(), ("sec",)], candidates=[("log",), ("sec",)])
    assert found == {"symbols": ["sec", "log"], "blanks": 1, "candidates": 2}


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ([], ""),
        (["row 3: 7/13"], "treesmu: the model cannot read 1 equation, which is left out: row 3: 7/13\n"),
        (["row 3: 7/13", "row 4: y_2"], "treesmu: the model cannot read 2 equations, which are left out: row 3: 7/13\n"),
    ],
)
def test_equations_that_cannot_be_read_are_counted(reasons: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    say_unreadable(reasons)
    assert capsys.readouterr().err == said
