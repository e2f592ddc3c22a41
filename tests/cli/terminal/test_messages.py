"""Messages are one line, and nothing that a file or an argument contains controls the terminal."""

from __future__ import annotations

import pytest

from treesmu.cli.terminal.messages import MOST, print_text, say
from treesmu.expr import ParseError, parse


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("a\nb.txt: cannot be read", r"a\nb.txt: cannot be read"),
        ("\x1b[2Jclear\r\x07", r"\x1b[2Jclear\r\x07"),
        ("right-to-left \u202e.txt", r"right-to-left \u202e.txt"),
        ("a\n  b\n  ^c: no caret at its end", r"a\n  b\n  ^c: no caret at its end"),
        ("größe ≤ 5", "größe ≤ 5"),
        ("x" * 5000, "x" * (MOST - 3) + "..."),
    ],
)
def test_a_message_is_one_line_without_control_characters(message: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    say(message)
    assert capsys.readouterr().err == f"treesmu: {said}\n"


def test_an_equation_that_cannot_be_read_is_shown_with_a_caret(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ParseError) as caught:
        parse("sin(x + 1 = 2")
    say(f"a\nb.txt, line 2: {caught.value}")
    first = r"treesmu: a\nb.txt, line 2: expected ')' before '=':"
    assert capsys.readouterr().err == f"{first}\n  sin(x + 1 = 2\n            ^\n"


def test_results_keep_their_lines_but_control_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_text("class\tcount\n\x1b[31mred\t3")
    assert capsys.readouterr().out == "class\tcount\n\\x1b[31mred\t3\n"
