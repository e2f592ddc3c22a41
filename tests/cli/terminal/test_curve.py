"""The learning curve as text."""

from __future__ import annotations

import pytest

from treesmu.cli.terminal.curve import MOST_COLUMNS, ROWS, draw_curve


def test_each_epoch_is_a_bar_and_the_base_rate_is_marked() -> None:
    assert draw_curve([0.5, 0.6, 0.7, 0.8], 0.525) == [
        "validation accuracy by epoch",
        "  80% │            ████",
        "      │            ████",
        "      │        ████████",
        "      │        ████████",
        "      │    ████████████",
        "  50% │┄┄┄┄████████████ ┄ 52.5%: base rate",
        "epoch  1              4",
    ]


def test_heights_are_in_proportion() -> None:
    low, middle, high = (sum(row[7 + place] == "█" for row in draw_curve([0.5, 0.55, 0.8])[1:-1]) for place in (0, 4, 8))
    assert (low, middle, high) == (0, 1, ROWS)


def test_there_is_no_curve_of_one_epoch() -> None:
    assert draw_curve([]) == draw_curve([0.5], 0.5) == []


@pytest.mark.parametrize("epochs", [2, 59, 60, 61, 1000])
def test_a_curve_has_a_fixed_size_and_rises_if_the_accuracies_do(epochs: int) -> None:
    lines = draw_curve([0.5 + 0.4 * i / epochs for i in range(epochs)])
    assert len(lines) == ROWS + 2
    assert all(len(line) <= 7 + MOST_COLUMNS for line in lines)
    bars = [[line.ljust(80)[7 + column] != " " for line in lines[1:-1]] for column in range(len(lines[-2]) - 7)]
    heights = [sum(bar) for bar in bars]
    assert heights == sorted(heights)
    assert lines[-1].split() == ["epoch", "1", str(epochs)]


def test_equal_accuracies_and_terminals_without_blocks_are_drawn_too() -> None:
    lines = draw_curve([0.5, 0.5], 0.5, ascii_only=True)
    assert "".join(lines).isascii()
    assert lines[1].split()[0] == "55%"
    assert lines[-2].endswith(" - 50.0%: base rate")
